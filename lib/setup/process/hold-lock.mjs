// @ts-check
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 200
const BEAT_MS = 5000
const SILENT_MS = 60_000

/**
 * Runs `work` while no other process holds the lock file. A holder that died, or has been silent for a minute, loses it.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @param {{ onWait?: (pid: number) => void }} [options]
 * @returns {Promise<T>}
 */
export async function holdLock(path, work, { onWait } = {}) {
  mkdirSync(dirname(path), { recursive: true })
  let told = false
  while (!take(path)) {
    const holder = readHolder(path)
    if (holder !== null && isGone(holder)) drop(path, holder.text)
    else if (holder !== null && !told) {
      told = true
      onWait?.(holder.pid)
    }
    await wait(POLL_MS)
  }
  const beat = setInterval(() => touch(path), BEAT_MS)
  beat.unref()
  try {
    return await work()
  } finally {
    clearInterval(beat)
    rmSync(path, { force: true })
  }
}

/** @param {string} path */
function take(path) {
  try {
    writeFileSync(path, `${process.pid} ${Date.now()}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'EEXIST') return false
    throw error
  }
}

/** @typedef {{ pid: number, text: string, seenAt: number }} Holder */

/** @param {string} path @returns {Holder | null} */
function readHolder(path) {
  try {
    const text = readFileSync(path, 'utf8')
    return { text, pid: Number.parseInt(text, 10) || 0, seenAt: statSync(path).mtimeMs }
  } catch {
    return null
  }
}

/** @param {Holder} holder */
function isGone({ pid, seenAt }) {
  if (Date.now() - seenAt > SILENT_MS) return true
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return Reflect.get(Object(error), 'code') === 'ESRCH'
  }
}

/** Removes the lock that was read; one that somebody else took meanwhile is put back.
 * @param {string} path @param {string} text */
function drop(path, text) {
  const aside = `${path}.${process.pid}`
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') !== text) linkSync(aside, path)
  } catch {
    // Gone or taken meanwhile: the next round looks again.
  }
  rmSync(aside, { force: true })
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // Somebody removed it by hand: nothing to keep alive.
  }
}
