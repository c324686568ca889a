import { basename, extname } from 'node:path'
import type { RepositoryTask } from '#lib/domain/tasks/index.ts'
import { appendJavaScript, JAVASCRIPT_FILE, type Verify } from './canary-javascript.ts'
import type { Change } from './overlay.ts'

type Format = RepositoryTask['verify']['report']['format']

/** Tests that must fail, placed among the real ones. */
export type Canary = {
  /** All tests, with the canary in them or next to them. */
  files: Change[]
  /** Parts of names: for each, at least one test must be reported as failed, and none as passed. */
  marks: string[]
}

/** Placeholder for the name in a file of a task's own `canary/`. */
export const PLACEHOLDER = '{{canary}}'

/** Returns all test files, with those of the task's own canary in their positions, not yet filled in. */
export function withOwnCanary(
  tests: readonly Change[],
  canary: readonly Change[],
): readonly Change[] {
  const own = new Set(canary.map(({ path }) => path))
  return [...tests.filter(({ path }) => !own.has(path)), ...canary]
}

/**
 * Adds a canary for one run of these tests. If the task has its own (`withOwnCanary`), its names are filled in; else
 * every file of a known language gets randomly named tests that fail by the same assertions that the tests use, in the
 * process that loads the solution. Null = no test can be added.
 */
export function plantCanary(
  files: readonly Change[],
  verify: Verify,
  token: string,
): Canary | null {
  if (files.some(hasPlaceholder)) return { files: fillIn(files, token), marks: [token] }
  const marks: string[] = []
  const planted = files.map((file) => {
    const mark = `${token}${marks.length}`
    const text = file.bytes && appendFailing(file.path, file.bytes.toString('utf8'), verify, mark)
    if (!text) return file
    marks.push(mark)
    return { ...file, bytes: Buffer.from(text) }
  })
  return marks.length === 0 ? null : { files: planted, marks }
}

function hasPlaceholder({ path, bytes }: Change): boolean {
  return path.includes(PLACEHOLDER) || bytes?.includes(PLACEHOLDER) === true
}

function fillIn(files: readonly Change[], token: string): Change[] {
  return files.map((file) => {
    if (!hasPlaceholder(file)) return file
    const { path, bytes, executable } = file
    const text = bytes && Buffer.from(bytes.toString('utf8').replaceAll(PLACEHOLDER, token))
    return { path: path.replaceAll(PLACEHOLDER, token), bytes: text, executable }
  })
}

/** Adds failing tests to a test file; null = it is not known to contain tests. */
function appendFailing(path: string, text: string, verify: Verify, mark: string): string | null {
  const kind = extname(path)
  if (JAVASCRIPT_FILE.test(kind)) return appendJavaScript(path, text, verify, mark)
  if (kind === '.py') return appendPython(path, text, verify.report.format, mark)
  if (path.endsWith('_test.go'))
    return `${text}\nfunc TestX${mark}(t *testing.T) {\n\tt.Errorf("expected 2, got 1")\n}\n`
  return null
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

/** Returns the marks that a canary run did not report as failed. */
export function findUnreported(
  marks: readonly string[],
  tests: readonly { name: string; status: string }[],
): string[] {
  return marks.filter((mark) => {
    const own = tests.filter(({ name }) => name.includes(mark))
    return own.length === 0 || own.some(({ status }) => status !== 'failed' && status !== 'error')
  })
}
