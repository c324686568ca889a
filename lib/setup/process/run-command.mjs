// @ts-check
import { spawn } from 'node:child_process'
import { ROOT } from '../root.mjs'

/** @typedef {{ code: number, output: string, durationMs: number }} CommandResult */
/** @typedef {{ env?: Record<string, string | undefined>, cwd?: string, onLine?: (line: string) => void, signal?: AbortSignal | undefined }} CommandOptions */

const KEPT_CHARACTERS = 400_000
const GRACE_MS = 3000

/**
 * Runs a command of ours to its end and keeps what it said. Never throws: a command that cannot start ends with 127.
 * @param {string} command
 * @param {string[]} args
 * @param {CommandOptions} [options]
 * @returns {Promise<CommandResult>}
 */
export function runCommand(command, args, { env, cwd = ROOT, onLine, signal } = {}) {
  const startedAt = performance.now()
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
  let output = ''
  const take = (/** @type {string} */ text) => {
    output = (output + text).slice(-KEPT_CHARACTERS)
    for (const line of text.split(/\r?\n|\r/)) if (line.trim() !== '') onLine?.(line.trim())
  }
  child.stdout.setEncoding('utf8').on('data', take)
  child.stderr.setEncoding('utf8').on('data', take)
  const stop = () => {
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
  }
  if (signal?.aborted) stop()
  signal?.addEventListener('abort', stop, { once: true })
  return new Promise((resolve) => {
    const end = (/** @type {number} */ code) => {
      signal?.removeEventListener('abort', stop)
      resolve({ code, output, durationMs: performance.now() - startedAt })
    }
    child.on('error', (error) => {
      take(`${error.message}\n`)
      end(127)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}
