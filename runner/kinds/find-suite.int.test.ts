import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import {
  addOwnSuite,
  findSuiteLocation,
  listSuiteLocations,
  readOwnSuites,
  removeOwnSuite,
} from './find-suite.ts'

const root = mkdtempSync(join(tmpdir(), 'proofboard-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('knows suites from any folder, by name, and whether a board may', async () => {
  const [data, folder] = [join(root, 'data'), join(root, 'mine')]
  mkdirSync(folder)
  writeFileSync(join(folder, 'suite.json'), '{}')
  await addOwnSuite(data, { suiteId: 'mine', folder, visibility: 'private' }, ['typescript'])
  expect(findSuiteLocation('mine', data)).toEqual({
    suiteId: 'mine',
    folder,
    origin: 'own',
    isPrivate: true,
  })
  await addOwnSuite(data, { suiteId: 'mine', folder, visibility: 'public' }, [])
  expect(listSuiteLocations(data).at(-1)).toMatchObject({ suiteId: 'mine', isPrivate: false })
  const other = { suiteId: 'mine', folder: join(root, 'other'), visibility: 'public' as const }
  await expect(addOwnSuite(data, other, [])).rejects.toThrow(/another suite called mine/)
  await expect(
    addOwnSuite(data, { ...other, suiteId: 'typescript' }, ['typescript']),
  ).rejects.toThrow(/another suite called typescript/)
  await removeOwnSuite(data, 'mine')
  expect(readOwnSuites(data)).toEqual([])
  await expect(removeOwnSuite(data, 'mine')).rejects.toThrow(/no suite called mine/)
  writeFileSync(join(data, 'own-suites.json'), '[{"suiteId":"../x"}]')
  expect(() => readOwnSuites(data)).toThrow(/is not a list of suites/)
})

it.each([
  [
    'instances.jsonl',
    '{"repo":"a/b","instance_id":"a__b-1","base_commit":"c0ffee","patch":"","test_patch":""}\n',
    /is not a suite: it is a list of SWE-bench instances, which are not read, .*write a task\.yaml for each/,
  ],
  ['notes.json', '{"instance_id":1}', /is not a suite: it is a file, not a folder of tasks$/],
])('says what a file is that is named as a suite: %s', (name, text, sentence) => {
  writeFileSync(join(root, name), text)
  expect(() => findSuiteLocation(join(root, name), root)).toThrow(sentence)
})

it('says that a path does not exist', () => {
  expect(() => findSuiteLocation(join(root, 'none'), root)).toThrow(
    /none is not a suite: it does not exist$/,
  )
})
