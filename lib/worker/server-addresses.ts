import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostId } from '#lib/setup/host.mjs'
import { env } from '../env.ts'
import { locateProcess } from '../processes/is-process-alive.ts'

/**
 * Stores the URL of this process's server in the data folder, which several servers may share: a command in another
 * terminal does not know their ports. Returns a function that removes the note.
 */
export function noteAddress(): () => void {
  const file = join(folder(), `${process.pid}@${hostId()}`)
  mkdirSync(folder(), { recursive: true })
  for (const { name, state } of listNotes())
    if (state === 'gone') rmSync(join(folder(), name), { force: true })
  writeFileSync(file, env().publicUrl, { mode: 0o600 })
  return () => rmSync(file, { force: true })
}

/** Returns the address of the server started last on this machine, else on another one, else of the settings. */
export function findAddress(): string {
  const notes = listNotes().sort((a, b) => b.writtenAt - a.writtenAt)
  const found =
    notes.find(({ state }) => state === 'alive') ?? notes.find(({ state }) => state === 'elsewhere')
  return found?.url ?? env().publicUrl
}

function folder(): string {
  return join(env().dataDir, 'addresses')
}

function listNotes() {
  return listNames().flatMap((name) => {
    const [pid, host] = name.split('@')
    try {
      const file = join(folder(), name)
      const url = readFileSync(file, 'utf8').trim()
      const state = locateProcess(Number(pid), host)
      return url === '' ? [] : [{ name, url, state, writtenAt: statSync(file).mtimeMs }]
    } catch {
      return [] // its server has just ended
    }
  })
}

function listNames(): string[] {
  try {
    return readdirSync(folder())
  } catch {
    return [] // no server was started yet
  }
}
