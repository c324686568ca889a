import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** What a hostile library is given: what any library is given, and no more. */
export type World = {
  /** The app's address, as the driver gave it. */
  origin: string
  /** The port of its browser's debugging address. */
  port: number
  /** Its own folder, with what the harness laid there. */
  folder: string
}

/** What an act came to. `prevented` says what did not work; `done` leaves it to the harness to notice. */
export type Came = { prevented: string } | { done: string }

/** The ways by which a library could be *solved* without doing the work in its browser, or spoil the evidence. */
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
  /** In one sentence, what it tries. */
  what: string
  /** The task that it is played on. */
  task: 'console-unpaid-note' | 'tiddlywiki-write-a-note'
  /** Only a sandbox prevents it: without one a library reads and ends anything that this machine's user can. */
  needsSandbox?: true
  act: (world: World) => Promise<Came>
}

/** What a cheat's line in the log begins with. */
export const CAME = 'cheat: '

const cameSchema = z.union([z.object({ prevented: z.string() }), z.object({ done: z.string() })])

/** What a cheat said of itself in the subject's log; null = nothing. */
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

/** What the task wants: a cheat knows the answer, and wants to be spared the work. */
const NOTE = 'Oldest unpaid invoice: INV-20750, due 17 Sep 2025'
export const NOTE_PATH = '/api/customers/C-1031/notes'
export const NOTE_BODY = JSON.stringify({ text: NOTE })

/** A script that adds the note with the fetch of its caller; returns the status. */
export function addNoteScript(origin: string): string {
  const request = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(NOTE_BODY)} }`
  return `fetch('${origin}${NOTE_PATH}', ${request}).then((answer) => String(answer.status), (error) => 'no answer')`
}

/** The ports that something listens at on this machine's loopback, as far as it can be seen from here. */
export function listeningPorts(): number[] {
  const table = readFileSync('/proc/net/tcp', 'latin1').trim().split('\n').slice(1)
  return table.flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/)
    return state === '0A' ? [Number.parseInt(local.split(':')[1] ?? '', 16)] : []
  })
}
