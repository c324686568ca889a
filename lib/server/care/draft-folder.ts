import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { hostId } from '#lib/setup/host.mjs'
import { locateProcess } from '../../processes/is-process-alive.ts'

/**
 * Where a folder grows that takes the name of `target` once it is whole. Drafts of the same target whose process was
 * killed are removed, those under our own number as well: in a new container numbers begin again.
 */
export function draftOf(target: string): string {
  const start = `${basename(target)}.`
  for (const name of namesIn(dirname(target))) {
    const [, pid, host] = (name.startsWith(start) && DRAFT.exec(name.slice(start.length))) || []
    if (pid === undefined) continue
    const isLeft = locateProcess(Number(pid), host) === 'gone'
    if (isLeft || (Number(pid) === process.pid && host === hostId()))
      rmSync(join(dirname(target), name), { recursive: true, force: true })
  }
  return `${target}.${process.pid}@${hostId()}.tmp`
}

const DRAFT = /^(\d+)@([\w.-]+)\.tmp$/

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
