// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are scripts.
import { readFile } from 'node:fs/promises'
import { parse } from 'acorn'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkScript } from '../../../main/engine/source/check-script.ts'
import { originalPosition } from '../../../main/engine/source/positions.ts'
import { lookAlikes, REFUSED } from '../../../main/engine/source/ses-pass.ts'
import { type Outcome, prepared, realCompartment } from './compartment.ts'

const compartment = realCompartment()
const run = async (source: string, args?: unknown, file?: string) => compartment.evaluate(await prepared(source, file), args)
const resultOf = async (source: string, args?: unknown) => {
  const { value, error } = await run(source, args)
  expect(error).toBeUndefined()
  return value
}

/** Where an error of evaluated code was made, in the file as written. */
async function placeOf(source: string, file = 'script.js'): Promise<{ line: number; column: number }> {
  const code = await prepared(source, file)
  const { error }: Outcome = await compartment.evaluate(code)
  const found = /script\.[jt]s:(\d+):(\d+)/.exec(error?.stack ?? '')
  if (found === null) throw new Error(`No place in: ${error?.stack}`)
  return originalPosition(code, Number(found[1]), Number(found[2]))
}

test('the patterns are those of the installed ses', async () => {
  const source = await readFile(new URL('../../../node_modules/ses/src/transforms.js', import.meta.url), 'utf8')
  const patterns = [...source.matchAll(/new FERAL_REG_EXP\(\s*((?:`[^`]*`|'[^']*'))/g)].map(
    ([, literal]) => new Function(`return ${literal}`)() as string,
  )
  expect(patterns).toEqual([REFUSED.htmlComment.source, REFUSED.importCall.source.replaceAll('\\/', '/'), REFUSED.directEval.source])
  const { version } = JSON.parse(await readFile(new URL('../../../node_modules/ses/package.json', import.meta.url), 'utf8'))
  const own = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(own.devDependencies.ses).toBe(version)
})

describe('code', () => {
  test.each([
    ['let n = 3, k = 0; while (n --> 0) k++; return k', 3],
    ['let n = 3; return [n-->2, n-->1, n-->=1, n, n-->>1]', [true, true, true, 0, 0]],
    ['let n = 2; return 5<!--n', false],
    ['let n = 2\nreturn [1\n<!--n]', [false]],
    ['let n = 2, m = 0\nm = n\n--> 0\nreturn [m, n]', null],
    ["const counts = {}; counts['constructor'] = 1; counts.toString = 2; return counts", { constructor: 1, toString: 2 }],
    [
      'class E extends Error { name = "E" }; try { throw new E("x") } catch (e) { return [e.name, e.message, e instanceof E] }',
      ['E', 'x', true],
    ],
    ['args.items.sort(); return args.items', [1, 2, 3]],
    ['// <!--> -->--> <!--<!--\n/*<!-->*/ return 1', 1],
    ['// A --> B <!-- import("x") eval(1)\n/* --> import(\n */ return 1 // -->', 1],
    [
      'const o = { import (x) { return x }, eval(x) { return x } }; return [o.import(1), o.eval(2), o . import (3), o["eval"](4)]',
      [1, 2, 3, 4],
    ],
    [
      'class A { static import() { return 1 } get eval () { return 2 } async *import () {} #import(x) { return x } t() { return this.#import (3) } }\nreturn [A.import(), new A().eval, new A().t(), A.import.name]',
      [1, 2, 3, 'import'],
    ],
    ['const $import = (x) => x, \u00e9eval = (x) => x; return [$import (1), \u00e9eval(2)]', [1, 2]],
    ['const o = { import /* c */ : 1, import: 2 }; return [o.import, [...[o].map(({ import: i }) => i)]]', [2, [2]]],
    ['return [/import/ //2\n.source, ((a) => a)/import/1]\nvar g', null],
    ['const g = 2; return [/x/.test("x"), /import/*2]', [true, null]],
  ])('%j means the same', async (source, value) => {
    // A null marks text that is an error by itself; what counts is that the pass leaves it one with a name.
    if (value === null) {
      const { diagnostics, prepared: code } = await checkScript(source, 'script.js')
      if (code === null) expect(diagnostics[0]?.code).toBe('script-syntax')
      else expect((await compartment.evaluate(code)).error?.name).not.toBe('SyntaxError')
    } else if (source.includes('/import/*2')) expect(await resultOf(source)).toEqual([true, Number.NaN])
    else expect(await resultOf(source, { items: [3, 1, 2] })).toEqual(value)
  })
})

describe('texts', () => {
  test('a prompt with imports, HTML comments and ${…} arrives byte for byte', async () => {
    const prompt = 'Use import("x"), not eval(y); keep <!-- this --> and ${VAR}. C:\\import(1) \\n'
    expect(await resultOf(`return await agent(${JSON.stringify(prompt)})`)).toBe(prompt)
    const raw = 'Use import("x"), not eval(y);\nkeep <!-- this -->, C:\\import(1) \\n \\${VAR} and '
    expect(await resultOf(`return await agent(String.raw\`${raw}\${args}\`)`, '${VAR}')).toBe(`${raw}\${VAR}`)
    expect(await resultOf(`return await agent(String.raw\`${raw.replaceAll('\n', '\r\n')}\${args}\`)`, '${VAR}')).toBe(`${raw}\${VAR}`)
  })

  test('a backslash before the word stays one', async () => {
    expect(
      await resultOf(String.raw`return ["\import(", "\\import(", "\\\import(", '\eval(', "\\eval(", "\-->", "<\!--", "\\-->"]`),
    ).toEqual(['import(', '\\import(', '\\import(', 'eval(', '\\eval(', '-->', '<!--', '\\-->'])
  })

  test('a tag sees the strings, the raw strings and the values it would have seen, the same list each time', async () => {
    const source = `const tag = (strings, ...values) => [[...strings], [...strings.raw], values, Object.isFrozen(strings), Object.isFrozen(strings.raw)]
const seen = new Set()
const site = (n) => ((strings) => seen.add(strings).size)\`import(\${n} -->\`
site(1); site(2)
const o = { prefix: '>', say(strings) { return this.prefix + strings.raw[0] } }
return [tag\`a import("x")\n\\\${2} \${3} --> \\u \${4}i\\x6dport(\`, site(3), o.say\`<!--\`, o['say']\`\\t-->\`]`
    expect(await resultOf(source)).toEqual([
      [['a import("x")\n${2} ', undefined, 'import('], ['a import("x")\n\\${2} ', ' --> \\u ', 'i\\x6dport('], [3, 4], true, true],
      1,
      '><!--',
      '>\\t-->',
    ])
  })

  test('a tag that makes a class is still what new is given', async () => {
    const source =
      'const make = (s) => class { value = s.raw[0] }\nreturn [new make`-->`().value, new (make`eval(`)().value, new { in: make }.in`<!--`().value]'
    expect(await resultOf(source)).toEqual(['-->', 'eval(', '<!--'])
  })

  test('one tag after another and inside one another keep their raw', async () => {
    const source =
      'const tag = (a) => (b) => a.raw[0] + b.raw[0]\nreturn [tag`-->``<!--`, String.raw`import( ${String.raw`eval( ${"-->"}`} -->`]'
    expect(await resultOf(source)).toEqual(['--><!--', 'import( eval( --> -->'])
  })

  test('names that the script uses itself are left alone', async () => {
    expect(await resultOf('const $script = 1, WeakMap = 2, Object = 3\nreturn [String.raw`-->\\n`, $script, WeakMap, Object]')).toEqual([
      '-->\\n',
      1,
      2,
      3,
    ])
    expect(await resultOf('class RegExp {}\nreturn [/-->/.test("-->"), /<!--/ instanceof RegExp]')).toEqual([true, false])
  })

  test('regular expressions match the same and read the same', async () => {
    const source = String.raw`const all = [/<!--[^]*?-->/g, /import\s*\(/, /\import(a)/i, /[<!--a]/, /[--->]/u, /(?<!--)x/, /eval(\/"')/, /(?<import>a)import(b)\k<import>/]
return all.map((re) => [re.source, re.flags, String(re), re.test('a <!-- import( importa -->'), typeof/-->/])`
    const native = new Function(source.replace('typeof/-->/', 'typeof /--\\x3e/'))()
    expect(await resultOf(source)).toEqual(native)
  })

  test('each evaluation of a regular expression is a new one', async () => {
    expect(await resultOf('const f = () => /-->/g; const a = f(); a.test("-->"); return [a === f(), a.lastIndex, f().lastIndex]')).toEqual([
      false,
      3,
      0,
    ])
  })
})

describe('places', () => {
  test('a ReferenceError inside a template points into its line', async () => {
    const source = 'const a = 1\nconst b = `import("x") <!-- -->\n  eval( --> ${missing} -->\n`\nreturn b'
    expect(await placeOf(source)).toEqual({ line: 3, column: 15 })
  })

  test('the first line, behind look-alikes of every kind, tells its own columns', async () => {
    for (const before of ['', '"import(" + ', '`-->` + ', 'String.raw`eval(${1}<!--` + ', '/-->/.source + ', 'export default "-->" + ']) {
      const source = `/* --> */ ${before.startsWith('export') ? '' : 'return '}${before}missing`
      expect(await placeOf(source)).toEqual({ line: 1, column: source.indexOf('missing') + 1 })
    }
  })

  test('types and enums in the same line do not move a place', async () => {
    const source = 'enum E { A, B = 1 } const a: string = `import(${E.A}` as string; enum F { A } export default (missing as any)'
    expect(await placeOf(source, 'script.ts')).toEqual({ line: 1, column: source.indexOf('missing') + 1 })
  })

  test('a place inside what was inserted is that of the insertion, one beyond the file comes back as it is', async () => {
    const code = await prepared('return "import("')
    const at = (needle: string, more: number) => originalPosition(code, 1, code.code.indexOf(needle) + 1 + more)
    expect(at('(async', 3)).toEqual({ line: 1, column: 1 })
    expect(at('\\x6d', 0)).toEqual({ line: 1, column: 10 })
    expect(at('\\x6d', 2)).toEqual({ line: 1, column: 11 })
    expect(at('port(', 0)).toEqual({ line: 1, column: 11 })
    expect(originalPosition(code, 99, 7)).toEqual({ line: 99, column: 7 })
  })
})

describe('any text', () => {
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'import(',
        'import (',
        'import/*',
        'import//',
        'import("x")',
        '...import(',
        'eval(',
        'eval (',
        '<!--',
        '-->',
        '--',
        '<!',
        '>',
        '-',
      ),
    },
    fc.constantFrom(
      '\\',
      '\\\\',
      '\\n',
      '\\u0041',
      '\\x69mport(',
      '\\u{69}',
      '${',
      '${1}',
      '${`-->`}',
      '$',
      '.',
      'a',
      ' ',
      '"',
      "'",
      '`',
      '/',
      '*',
      '[',
      ']',
      '(',
      ')',
      '?<!',
      '\u2028',
      '\r\n',
      '\n',
      'é',
    ),
  )
  const body = fc.array(piece, { maxLength: 7 }).map((pieces) => pieces.join(''))
  const expression = fc
    .tuple(fc.constantFrom("'", '"', '`', 'raw`', 'tag`', 'obj.tag`', '/', '/u', '/v', '/*', '//'), body)
    .map(([kind, text]) => {
      switch (kind) {
        case 'raw`':
          return `String.raw\`${text}\``
        case 'tag`':
        case 'obj.tag`':
          return `${kind}${text}\``
        case '/':
        case '/u':
        case '/v':
          return `see(/${text}/${kind.slice(1)})`
        case '/*':
          return `/*${text}*/ 1`
        case '//':
          return `//${text.replace(/[\r\n\u2028\u2029]/g, '')}\n 1`
        default:
          return kind + text + kind
      }
    })
  const PREFIX = `const tag = (s, ...v) => [[...s], [...s.raw], v], obj = { tag(s, ...v) { return [this === obj, ...s.raw, v] } }, see = (re) => [re.source, re.flags]; `

  /** The value in plain JavaScript; undefined when it is no expression there (an HTML comment in code is no code either). */
  const native = (source: string): { value: unknown } | undefined => {
    try {
      return { value: new Function(`'use strict'; ${PREFIX}return [${source}]`)() }
    } catch {
      return undefined
    }
  }

  /** Plain scripts know comments that begin with `<!--`, and take for one what is an error or a sum in a module. */
  const isModuleCode = (source: string): boolean => {
    try {
      parse(`[${source}]`, { ecmaVersion: 2024, sourceType: 'module' })
      return true
    } catch {
      return false
    }
  }

  test('has the same value, the same raw and the same columns behind it, and nothing that ses refuses', async () => {
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(expression, { minLength: 1, maxLength: 4 }), async (candidates) => {
        const expressions: string[] = []
        for (const source of candidates) {
          // A quote in the middle can turn the rest into code: kept when it is code of a module, and does not reach outside.
          if (!isModuleCode(source)) continue
          const { diagnostics } = await checkScript(`return [${source}]`, 'script.js')
          const isOutside = diagnostics.some(({ code }) => code === 'not-self-contained')
          if (!isOutside && native(source) !== undefined) expressions.push(source)
        }
        fc.pre(expressions.length > 0)
        const list = expressions.join(',')
        const code = await prepared(`${PREFIX}return [${list}]`)
        expect(lookAlikes(code.code)).toEqual([])
        const { value, error } = await compartment.evaluate(code)
        expect(error).toBeUndefined()
        expect(value).toEqual(native(list)?.value)
        const failing = `${PREFIX}; [${list}, missing]`
        const lines = failing.split(/\r\n|[\n\r\u2028\u2029]/)
        expect(await placeOf(failing)).toEqual({ line: lines.length, column: (lines.at(-1) ?? '').lastIndexOf('missing') + 1 })
        compared += expressions.length
      }),
      { numRuns: 400 },
    )
    expect(compared).toBeGreaterThan(400)
  })
})
