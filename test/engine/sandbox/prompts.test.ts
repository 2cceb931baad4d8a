/** Whatever a prompt holds, and however it is written in the script, reaches the agent letter by letter. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runScript } from '../support/run-script.ts'

const piece = fc.oneof(
  fc.constantFrom('import("x")', 'import (', 'import/*', 'import//', '...import(', 'eval(', 'eval  (', '<!--', '-->', '--', '>', '<!'),
  fc.constantFrom('${VAR}', '$', '{', '}', '`', '"', "'", '\\', '\\n', '\\u0041', '\\x69mport(', '/*', '*/', '//', '/', 'require("fs")'),
  fc.constantFrom(
    '\n',
    '\u2028',
    '\u2029',
    '\0',
    '\ud800',
    '\udc00',
    '🚀',
    'é',
    ' ',
    '\t',
    '\ufeff',
    'export const meta = {',
    '//# sourceURL=x',
  ),
)
const text = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))

/** The text as the body of a template, with what would end or begin something taken back by a backslash. */
const inTemplate = (raw: string): string => raw.replace(/[\\`]/g, '\\$&').replace(/\$\{/g, '\\${').replaceAll('\0', '\\0')
/** Without a carriage return, a NUL or a half of a pair, which a file of text can't hold as they are. */
const quoted = (raw: string, quote: string): string =>
  quote +
  raw
    .replace(/[\\'"]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\0', '\\0') +
  quote
const isFileText = (raw: string): boolean => !/\p{Surrogate}/u.test(raw) && !raw.includes('\0') && !raw.startsWith('\ufeff')

/** Ways to write a text; null where it can't be written so. */
const ways: readonly ((raw: string) => string | null)[] = [
  (raw) => (isFileText(raw) ? quoted(raw, "'") : null),
  (raw) => (isFileText(raw) ? quoted(raw, '"') : null),
  (raw) => (isFileText(raw) ? `\`${inTemplate(raw)}\`` : null),
  (raw) => (isFileText(raw) ? `\`\${''}${inTemplate(raw)}\${''}\`` : null),
  (raw) => (isFileText(raw) && !/[`\\]|\$\{/.test(raw) ? `String.raw\`${raw}\`` : null),
  (raw) => (isFileText(raw) && !/[`\\]|\$\{/.test(raw) ? `(({ raw }) => raw[0])\`${raw}\`` : null),
  (raw) => JSON.stringify(raw),
  (raw) =>
    `/* ${raw.replace(/[\0\ud800-\udfff]/g, '_').replaceAll('*/', '*_/')} */ ${JSON.stringify(raw)} // ${raw.replace(/[\n\u2028\u2029\0\ud800-\udfff]/g, '')}\n`,
]

test('any text, in strings, templates, tagged templates and beside comments of the same text (R30)', async () => {
  let sent = 0
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 20, maxLength: 40 }), async (texts) => {
      const written = texts.flatMap((raw) => ways.flatMap((way) => (way(raw) === null ? [] : [{ raw, code: way(raw) }])))
      const { prompts, error } = await runScript(written.map(({ code }) => `await agent(${code})`).join('\n'))
      expect(error).toBeUndefined()
      expect(prompts).toEqual(written.map(({ raw }) => raw))
      sent += prompts.length
    }),
    { numRuns: 12, endOnFailure: true },
  )
  expect(sent).toBeGreaterThan(1000)
}, 120_000)
