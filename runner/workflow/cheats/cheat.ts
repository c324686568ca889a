import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Input of a hostile library: the same as for any library. */
export type World = {
  /** The app's address, as given by the driver. */
  origin: string
  /** The port of its browser's debugging address. */
  port: number
  /** Its own folder, with the harness's files. */
  folder: string
}

/** Result of an act. `prevented` states what did not work; `done` leaves detection to the harness. */
export type Came = { prevented: string } | { done: string }

/** Ways in which a library could be *solved* without doing the work in its browser, or corrupt the evidence. */
type CheatClass =
  | 'other-client'
  | 'control'
  | 'answers'
  | 'forged-evidence'
  | 'laundering'
  | 'other-episode'
  | 'faked-page'

/** One hostile library: a program that is started as the user's own `openchrome` command. */
export type Cheat = {
  name: string
  class: CheatClass
  /** Describes in one sentence what it tries. */
  what: string
  /** The task that it is played on. */
  task: 'console-unpaid-note' | 'tiddlywiki-write-a-note'
  /** Only a sandbox prevents it: without one a library reads and ends anything that this machine's user can. */
  needsSandbox?: true
  act: (world: World) => Promise<Came>
}

/** Prefix of a cheat's line in the log. */
export const CAME = 'cheat: '

const cameSchema = z.union([z.object({ prevented: z.string() }), z.object({ done: z.string() })])

/** Reads a cheat's own report from the subject's log; null = none. */
export function readCame(log: string): Came | null {
  const line = log.split('\n').find((one) => one.includes(CAME))
  if (line === undefined) return null
  const text = line.slice(line.indexOf(CAME) + CAME.length)
  try {
    return cameSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** The expected note: a cheat knows the answer, and tries to avoid the work. */
const NOTE = 'Oldest unpaid invoice: INV-20750, due 17 Sep 2025'
export const NOTE_PATH = '/api/customers/C-1031/notes'
export const NOTE_BODY = JSON.stringify({ text: NOTE })

/** Returns a script that adds the note with its caller's fetch and returns the status. */
export function addNoteScript(origin: string): string {
  const request = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(NOTE_BODY)} }`
  return `fetch('${origin}${NOTE_PATH}', ${request}).then((answer) => String(answer.status), (error) => 'no answer')`
}

/** Lists the listening ports on this machine's loopback, as visible to this process. */
export function listeningPorts(): number[] {
  const table = readFileSync('/proc/net/tcp', 'latin1').trim().split('\n').slice(1)
  return table.flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/)
    return state === '0A' ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : []
  })
}
