import { expect, test } from 'vitest'
import { readEvidence } from '../../../renderer/routes/run/evidence.tsx'

test('the output of a check is read as evidence, and nothing else is', () => {
  const evidence = { exitCode: 1, stdout: '', stderr: '2 tests failed\n', durationMs: 820 }
  expect(readEvidence(evidence)).toEqual(evidence)
  for (const other of [null, 'ok', [1], { exitCode: 0 }, { ...evidence, stdout: 1 }]) expect(readEvidence(other)).toBeNull()
})
