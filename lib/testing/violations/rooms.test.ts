import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const listRooms = (cell: string) => [...cell.matchAll(/`([a-z/]+)`/g)].map(([, room = '']) => room)

/** Each room of ARCHITECTURE.md with the rooms that it may import. */
const ROOMS = new Map(
  [...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(/^\| `([a-z/]+)` \| .+ \| (.+) \|$/gm)].map(
    ([, room = '', allowed = '']) => [room, listRooms(allowed)],
  ),
)
const INNERMOST_FIRST = [...ROOMS.keys()].sort((a, b) => b.length - a.length)
const SOURCE = /\.(tsx?|mjs)$/
/** Tests may import anything; set-up and the files of `lib` itself are for all rooms. */
const IN_NO_ROOM = /\.(test|e2e|fixture)\.|\/(testing|fixtures)\/|^lib\/(setup\/|[^/]+$)/
const IMPORT = /^(?:import|export)\b[^'"]*?from '([#.][^']+\.(?:tsx?|mjs))'/gm

it.each([...ROOMS])('%s imports the rooms that ARCHITECTURE.md names', (room, allowed) => {
  const sources = readdirSync(room, { recursive: true, encoding: 'utf8' })
    .map((name) => join(room, name))
    .filter((path) => SOURCE.test(path) && roomOf(path) === room)
  const targets = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(IMPORT)].map(([, target = '']) =>
      target.startsWith('#') ? target.slice(1) : join(dirname(path), target),
    ),
  )
  const imported = new Set(targets.map(roomOf).filter((other) => other !== null && other !== room))
  expect([...imported].sort()).toEqual(allowed.toSorted())
})

function roomOf(path: string): string | null {
  if (IN_NO_ROOM.test(path)) return null
  return INNERMOST_FIRST.find((room) => path.startsWith(`${room}/`)) ?? null
}
