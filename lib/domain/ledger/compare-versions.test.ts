import { expect, it } from 'vitest'
import { digestBytes } from '../digest.ts'
import { compareVersions } from './compare-versions.ts'

const version = (tasks: Record<string, string>) => ({
  suiteId: 's',
  digest: digestBytes(JSON.stringify(tasks)),
  tasks: Object.entries(tasks).map(([taskId, text]) => ({ taskId, digest: digestBytes(text) })),
})

it('tells changed, added and removed tasks apart', () => {
  const one = version({ b: '1', a: '1', c: '1' })
  const two = version({ d: '1', a: '2', b: '1' })
  expect(compareVersions(one, two)).toEqual({
    kind: 'task-version',
    target: 's',
    from: one.digest,
    to: two.digest,
    changed: ['a'],
    added: ['d'],
    removed: ['c'],
  })
  expect(compareVersions(null, one)).toMatchObject({ from: null, added: ['a', 'b', 'c'] })
})
