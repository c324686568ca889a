import { expect, it } from 'vitest'
import { numberedVersion, sampleRow, sampleTasks } from '#lib/testing/factories/sample-rows.ts'
import { toChooserGroups } from './to-chooser-groups.ts'

const suite = numberedVersion(2)
const version = (title: string, ...names: string[]) => ({
  title,
  version: '1.0.0',
  digest: `sha256:${title}`,
  isCurrent: title === 'New',
  rows: names.map((name) => sampleRow(name, suite, sampleTasks([1, 2]))),
})

it('puts the versions with a chosen row first and makes every text that the list shows', () => {
  const groups = toChooserGroups([version('New', 'a', 'b'), version('Old', 'c')], ['row_c'])
  expect(groups.map(({ title, note }) => [title, note])).toEqual([
    ['Old 1.0.0', 'earlier version, 1 entry'],
    ['New 1.0.0', '2 entries'],
  ])
  expect(groups[0]?.rows[0]).toMatchObject({
    name: 'c',
    rest: '1.2.3 · model-x-1',
    percent: '50.0',
    label: 'primary',
  })
  expect(groups[0]?.rows[0]?.haystack).toMatch(/^c 1\.2\.3 model-x-1 anthropic agent ranked old$/)
})

it('shows dashes for a row without a scored episode', () => {
  const tasks = [{ taskId: 't00', solved: 0, scored: 0, voids: 3 }]
  const rows = [sampleRow('void', suite, tasks)]
  const [group] = toChooserGroups([{ ...version('New'), rows }], [])
  expect(group?.rows[0]).toMatchObject({ percent: '–', interval: '–', rate: null })
})
