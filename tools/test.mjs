/**
 * `npm test`: everything, in the order in which a mistake shows soonest. Ends with one plain line, `N passed, N failed`, over
 * all tests; a step that is no test counts as one failure when it fails. Exit code 0 only when nothing failed.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { ensureAgentPrograms } from './agent-programs.mjs'
import { ensurePackages } from './debian-packages.mjs'
import { runEndToEnd } from './e2e.mjs'
import { root } from './sources.mjs'

const REPORTS = path.join(root, 'out', 'test')
const bin = (...parts) => path.join(root, 'node_modules', ...parts)

let passed = 0
let failed = 0

const ready = ensurePackages('test')
if (!ready) failed += 1
fs.rmSync(REPORTS, { recursive: true, force: true })
fs.mkdirSync(REPORTS, { recursive: true })

step('types', [path.join(root, 'tools', 'types.mjs')])
step('lint', [bin('@biomejs', 'biome', 'bin', 'biome'), 'check', '--error-on-warnings', '.'])
const built = step('build', [path.join(root, 'tools', 'build.mjs')])
if (built) {
  ensureAgentPrograms()
  unitTests()
  if (ready) await endToEndTests()
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function step(name, args) {
  console.log(`\n== ${name}`)
  const code = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status
  if (code === 0) return true
  console.log(`${name} failed`)
  failed += 1
  return false
}

function unitTests() {
  console.log('\n== unit tests')
  const report = path.join(REPORTS, 'vitest.json')
  const args = [bin('vitest', 'vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status
  const result = readReport(report)
  // A file that can't be loaded has no tests in it, but is a failure.
  const broken = result?.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length ?? 0
  count(result?.numPassedTests ?? 0, (result?.numFailedTests ?? 0) + broken, code)
}

async function endToEndTests() {
  console.log('\n== end-to-end tests')
  const report = path.join(REPORTS, 'playwright.json')
  const code = await runEndToEnd(['--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
  const stats = readReport(report)?.stats
  count((stats?.expected ?? 0) + (stats?.flaky ?? 0), stats?.unexpected ?? 0, code)
}

function readReport(file) {
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : undefined
}

/** A runner that failed without a failed test (an unhandled error, a crash) still counts as one. */
function count(ok, bad, code) {
  passed += ok
  failed += code === 0 ? bad : Math.max(bad, 1)
}
