/** What is refused before anything runs. */
import type { Refusal } from './rule.ts'

export const refusals: Refusal[] = [
  { rule: 'import', script: "\nimport fs from 'node:fs'", code: 'not-self-contained', line: 2 },
  { rule: 'a dynamic import', script: "await import('x')", code: 'not-self-contained', line: 1 },
  { rule: 'require', script: "const fs = require('fs')", code: 'not-self-contained', line: 1 },
  { rule: 'eval', script: "eval('1')", code: 'not-self-contained', line: 1 },
  { rule: 'an export other than meta and the default', script: 'export const other = 1', code: 'not-self-contained', line: 1 },
  { rule: 'a default export that is not last', script: "export default 1\nagent('x')", code: 'not-self-contained', line: 1 },
  { rule: 'a meta that is computed', script: "export const meta = { name: 'a' + 'b' }", code: 'meta-not-literal', line: 1 },
  { rule: 'text that is no JavaScript', script: 'const a = 1\nconst a = 2', code: 'script-syntax', line: 2 },
  {
    rule: 'a namespace',
    script: 'namespace N { export const a = 1 }',
    file: 'a.ts',
    code: 'typescript-unsupported',
    line: 1,
    says: 'Write an object',
  },
  {
    rule: 'a type in angle brackets',
    script: 'const a = <string>args',
    file: 'a.ts',
    code: 'typescript-unsupported',
    line: 1,
    says: 'x as T',
  },
  {
    rule: 'a parameter property',
    script: 'class A { constructor(private a: string) {} }',
    file: 'a.ts',
    code: 'typescript-unsupported',
    line: 1,
  },
  { rule: 'a decorator', script: 'const d = (x: unknown) => x\n@d class A {}', file: 'a.ts', code: 'typescript-unsupported', line: 2 },
  { rule: 'binary data', script: 'a\0b', code: 'not-a-script', line: 1 },
]
