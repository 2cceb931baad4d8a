// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HISTORY, INTERRUPTED, PLAN, PLAN_CHANGED } from '../../../renderer/gallery/fixtures.ts'
import type { InputOf } from '../../../shared/contract/bridge.ts'
import type { RunId } from '../../../shared/ids.ts'
import type { RunSummary } from '../../../shared/run/view.ts'
import { PREFLIGHT, testBridge } from '../support/bridge.ts'
import { type Screen, showApp } from '../support/screen.tsx'

const started = { runId: INTERRUPTED.runId as RunId, number: 43, existed: false }
let screen: Screen | null = null

beforeEach(() => {
  // What happy-dom leaves out and the window measures itself with.
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }))
})

afterEach(async () => {
  await screen?.close()
  screen = null
  vi.unstubAllGlobals()
})

const dialogs = () => [...document.querySelectorAll('[role="dialog"]')]
const spoken = () => dialogs().map((dialog) => dialog.textContent ?? '')
const radio = (words: string) =>
  [...document.querySelectorAll('label')].find((label) => label.textContent?.includes(words))?.querySelector('input')

async function openResume(plan = PLAN) {
  const asked: InputOf<'runs.resume'>[] = []
  const bridge = testBridge(
    { plan },
    {
      runs: {
        resume: async (input) => {
          asked.push(input)
          return { ok: true, value: started }
        },
      },
    },
  )
  const made = await showApp(bridge)
  screen = made
  const { runId, title, number } = INTERRUPTED
  await made.open({ name: 'resume', runId, title, number })
  return { made, asked }
}

describe('the resume sheet', () => {
  test('says what is certain before it offers to resume', async () => {
    await openResume()
    expect(spoken()[0]).toContain('13 results will be replayed')
    expect(spoken()[0]).toContain('2 calls start live, for certain')
    expect(spoken()[0]).toContain('not certain')
  })

  test('names what an unchanged script asks otherwise than before', async () => {
    await openResume({ ...PLAN, unexpected: ['Line 12 asked “a” before and asks “b” now'] })
    expect(spoken()[0]).toContain('asks for something else than it did before')
    expect(spoken()[0]).toContain('Line 12 asked “a” before and asks “b” now')
  })

  test('opens on the first choice and resumes by the command key and Enter', async () => {
    const { made, asked } = await openResume()
    expect(document.activeElement).toBe(radio('Every call that has not changed'))
    await made.press('Enter', { ctrlKey: true })
    expect(asked).toEqual([{ runId: INTERRUPTED.runId, policy: 'content' }])
    expect(made.stores.window.getState().page).toEqual({ name: 'run', runId: INTERRUPTED.runId })
  })

  test('does not go on before it was said what happens to calls that were under way', async () => {
    const { made, asked } = await openResume(PLAN_CHANGED)
    await made.press('Enter', { ctrlKey: true })
    expect(asked).toEqual([])
    await made.click(radio('Skip them'))
    await made.press('Enter', { ctrlKey: true })
    expect(asked).toEqual([{ runId: INTERRUPTED.runId, policy: 'content', inFlight: 'skip' }])
  })

  test('shows what changed in a prompt, line by line', async () => {
    const { made } = await openResume(PLAN_CHANGED)
    await made.click(made.button('View change'))
    const lines = [...document.querySelectorAll('.difference > div')].map((line) => line.className)
    expect(lines).toEqual(['', 'is-old', 'is-new', ''])
  })

  test('closes with Escape and changes nothing', async () => {
    const { made, asked } = await openResume()
    await made.press('Escape')
    expect(made.stores.window.getState().sheets).toEqual([])
    expect(asked).toEqual([])
  })
})

describe('the new-run sheet', () => {
  async function openNewRun(trustNeeded: string | null, errors = 0, defaultAgent = false, before: Partial<RunSummary> = {}) {
    const launched: InputOf<'runs.launch'>[] = []
    const trusted: string[] = []
    const diagnostics = Array.from({ length: errors }, () => ({
      severity: 'error' as const,
      code: 'script-syntax',
      message: 'no',
      line: 1,
      column: 1,
    }))
    const bridge = testBridge(
      {
        history: HISTORY.map((run) => ({ ...run, ...before })),
        preflight: { ...PREFLIGHT, trustNeeded, diagnostics, uses: { ...PREFLIGHT.uses, defaultAgent } },
      },
      {
        runs: {
          launch: async (input) => {
            launched.push(input)
            return { ok: true, value: started }
          },
          trust: async ({ sha256 }) => {
            trusted.push(sha256)
            return { ok: true, value: null }
          },
        },
      },
    )
    const made = await showApp(bridge)
    screen = made
    await made.open({ name: 'new-run', target: null })
    return { made, launched, trusted }
  }

  test('starts exactly the text that was shown', async () => {
    const { made, launched } = await openNewRun(null)
    await made.press('Enter', { ctrlKey: true })
    expect(launched).toHaveLength(1)
    expect(launched[0]).toMatchObject({ target: { path: '.claude/workflows/triage.ts' }, seenSha256: PREFLIGHT.sha256 })
    expect(launched[0]).not.toHaveProperty('args')
  })

  test('asks for the agent of a script that names none', async () => {
    const { made, launched } = await openNewRun(null, 0, true)
    await made.press('Enter', { ctrlKey: true })
    expect(launched).toEqual([])
    expect(made.button('Start run')?.textContent).toContain('Choose an agent')
  })

  test('chooses the agent again that answered the workflow last, and the simulated one where only that was tried', async () => {
    const path = '.claude/workflows/triage.ts'
    for (const [before, agent] of [
      [{ path, backend: 'codex' }, 'codex'],
      [{ backend: 'simulated' }, 'simulated'],
    ] as const) {
      const { made, launched } = await openNewRun(null, 0, true, before)
      await made.press('Enter', { ctrlKey: true })
      expect(launched).toMatchObject([{ agent }])
      await made.close()
    }
  })

  test('tells each call of a dry run, and forgets what it told when the input is another one', async () => {
    const { made } = await openNewRun(null)
    await made.click(made.button('Try it'))
    const panel = () => document.querySelector('[aria-label="Dry run"]')?.textContent ?? ''
    expect(panel()).toContain('13 calls, to the end')
    expect(panel()).toContain('about 62k output tokens, going by 3 runs before')
    const budget = [...document.querySelectorAll('label')].find((label) => label.textContent === 'Budget')
    await made.type(document.getElementById(budget?.getAttribute('for') ?? ''), '500k')
    expect(panel()).not.toContain('13 calls')
  })

  test('does not start a script with errors, and says why', async () => {
    const { made, launched } = await openNewRun(null, 1)
    await made.press('Enter', { ctrlKey: true })
    expect(launched).toEqual([])
    expect(made.button('Start run')?.textContent).toContain('The script has errors')
  })

  test('asks for trust first where it is needed, opening on the answer that changes nothing', async () => {
    const { made, launched, trusted } = await openNewRun('It may write here.')
    await made.press('Enter', { ctrlKey: true })
    expect(launched).toEqual([])
    expect(document.activeElement?.textContent).toContain("Don't run")
    await made.click(made.button('Trust and run'))
    expect(trusted).toEqual([PREFLIGHT.sha256])
    expect(launched).toHaveLength(1)
  })

  test('runs nothing when trust is not given', async () => {
    const { made, launched, trusted } = await openNewRun('It may write here.')
    await made.press('Enter', { ctrlKey: true })
    await made.click(made.button("Don't run"))
    expect(trusted).toEqual([])
    expect(launched).toEqual([])
    expect(dialogs()).toHaveLength(1)
  })
})
