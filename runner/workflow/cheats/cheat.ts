/** What a hostile library is given: what any library is given, and no more. */
export type World = {
  /** The app's address, as the driver told it. */
  origin: string
  /** The port of its browser's debugging address. */
  port: number
  /** Its own folder, with what the harness laid there. */
  folder: string
}

/** What an act came to. `prevented` says what did not work; `done` leaves it to the harness to notice. */
export type Came = { prevented: string } | { done: string }

/** The ways by which a library could be *solved* without doing the work in its browser, or spoil the evidence. */
export type CheatClass =
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
  /** Only a sandbox prevents it: without one a library reads and ends whatever this machine's user can. */
  needsSandbox?: true
  act: (world: World) => Promise<Came>
}
