import { basename, extname } from 'node:path'
import type { RepositoryTask } from '#lib/domain/tasks/index.ts'
import type { Change } from './overlay.ts'

type Format = RepositoryTask['verify']['report']['format']

/** Tests that must fail, put where the real ones are. */
export type Canary = {
  /** All tests, with the canary in them or beside them. */
  files: Change[]
  /** Parts of names: of each, at least one test must be reported as failed, and none as passed. */
  marks: string[]
}

/** What a file of a task's own `canary/` has in place of the name. */
const PLACEHOLDER = '{{canary}}'

/**
 * A canary for one run: the tests of the task, and in every file of a known language tests with drawn names that fail by
 * the very assertions that the tests use, in the process that the solution is loaded into. With a `canary/` folder of
 * the task, its files. Null = neither is there.
 */
export function plantCanary(
  { tests, canary }: { tests: readonly Change[]; canary: readonly Change[] },
  format: Format,
  token: string,
): Canary | null {
  if (canary.length > 0) {
    const own = fillIn(canary, token)
    const beside = tests.filter(({ path }) => own.every((file) => file.path !== path))
    return { files: [...beside, ...own], marks: [token] }
  }
  const marks: string[] = []
  const files = tests.map((file) => {
    const mark = `${token}${marks.length}`
    const text = file.bytes && appendFailing(file.path, file.bytes.toString('utf8'), format, mark)
    if (!text) return file
    marks.push(mark)
    return { ...file, bytes: Buffer.from(text) }
  })
  return marks.length === 0 ? null : { files, marks }
}

function fillIn(canary: readonly Change[], token: string): Change[] {
  return canary.map(({ path, bytes, executable }) => ({
    path: path.replaceAll(PLACEHOLDER, token),
    bytes: bytes && Buffer.from(bytes.toString('utf8').replaceAll(PLACEHOLDER, token)),
    executable,
  }))
}

const JAVASCRIPT = /^\.[cm]?[jt]sx?$/

/** The test file with failing tests in it; null = it is not known to hold tests. */
function appendFailing(path: string, text: string, format: Format, mark: string): string | null {
  const kind = extname(path)
  if (JAVASCRIPT.test(kind)) return appendJavaScript(path, text, format, mark)
  if (kind === '.py') return appendPython(path, text, format, mark)
  if (path.endsWith('_test.go'))
    return `${text}\nfunc TestX${mark}(t *testing.T) {\n\tt.Errorf("expected 2, got 1")\n}\n`
  return null
}

/** Ways in which an assertion can fail: a solution that defuses one of them is seen by it. */
const NODE_FAILS = [
  'a.equal(1, 2)',
  'a.deepEqual({ v: [1] }, { v: [2] })',
  'a.ok(false)',
  'a.throws(() => {})',
]
const EXPECT_FAILS = ['e(1).toBe(2)', 'e({ v: [1] }).toEqual({ v: [2] })', 'e(() => {}).toThrow()']

function appendJavaScript(path: string, text: string, format: Format, mark: string): string | null {
  const isModule = /^\s*(import\s|export\s)/m.test(text) || /\.m[jt]s$/.test(path)
  const [t, x] = [`t${mark}`, `x${mark}`]
  const tests = (fails: readonly string[]) =>
    fails.map((fail, at) => `${t}('${mark} ${at}', () => { ${fail.replace(/^./, x)} })\n`).join('')
  const load = (name: string, module: string, member: string) =>
    isModule
      ? `import { ${member} as ${name} } from '${module}'\n`
      : `const ${name} = require('${module}').${member}\n`
  if (/['"]vitest['"]/.test(text) || format === 'vitest')
    return `${text}\n${load(t, 'vitest', 'test')}${load(x, 'vitest', 'expect')}${tests(EXPECT_FAILS)}`
  if (/['"]node:test['"]/.test(text))
    return `${text}\n${load(t, 'node:test', 'test')}${load(x, 'node:assert', 'strict')}${tests(NODE_FAILS)}`
  if (format !== 'jest') return null
  return `${text}\nconst [${t}, ${x}] = [test, expect]\n${tests(EXPECT_FAILS)}`
}

function appendPython(path: string, text: string, format: Format, mark: string): string | null {
  if (!/^test|_test\.py$/.test(basename(path))) return null
  const plain = format === 'pytest' ? `\n\ndef test_${mark}_plain():\n    assert 1 == 2\n` : ''
  const cases = [
    `class Test${mark}(__import__('unittest').TestCase):`,
    `    def test_${mark}_equal(self):`,
    '        self.assertEqual(1, 2)',
    `    def test_${mark}_true(self):`,
    '        self.assertTrue(False)',
    `    def test_${mark}_raises(self):`,
    '        with self.assertRaises(ValueError):',
    '            pass',
  ].join('\n')
  const at = text.search(/^if __name__\b/m)
  const [before, after] = at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)]
  return `${before}\n\n${cases}\n${plain}\n\n${after}`
}

/** What a canary run shows of marks: which of them was not reported as failed. */
export function findUnreported(
  marks: readonly string[],
  tests: readonly { name: string; status: string }[],
): string[] {
  return marks.filter((mark) => {
    const own = tests.filter(({ name }) => name.includes(mark))
    return own.length === 0 || own.some(({ status }) => status !== 'failed' && status !== 'error')
  })
}
