import { createHash } from 'node:crypto'
import type { AgentAttack, AttackPaths } from '../suites/verify/attacks/attack.ts'

/**
 * The script's interface: `report(target, found)` logs the result. A reached target is proven by the digest of its
 * content, because the value itself would be redacted from the log.
 */
const PROLOGUE = `import fs from 'node:fs'
import os from 'node:os'
import net from 'node:net'
import path from 'node:path'
import { createHash } from 'node:crypto'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
const digest = (found) => createHash('sha256').update(found).digest('hex').match(/.{8}/g).join('-')
const report = (target, found) =>
  console.log(found === null ? 'AUDIT out-of-reach ' + target : 'AUDIT reached ' + target + ' ' + digest(found))
const tried = (what) => console.log('AUDIT tried ' + what)
const attempt = (run) => { try { return run() ?? null } catch { return null } }
const readable = (file) => attempt(() => fs.readFileSync(file))
const writable = (file) => attempt(() => { fs.closeSync(fs.openSync(file, 'r+')); return fs.readFileSync(file) })
`

/** Returns the whole program of an attack as one shell command for any isolation level. */
export function attackCommand(attack: AgentAttack, place: AttackPaths): string {
  const files = Object.fromEntries(
    place.tasks.map(({ folder, task: { taskId, files: own } }) => [
      taskId,
      { SOLUTION: own.solution[0], TESTS: own.test, TASK: folder },
    ]),
  )
  const about = [
    `const { SOLUTION, TESTS, TASK } = (${JSON.stringify(files)})[process.env.PROOFBOARD_TASK]`,
    `const [ROOT, DATA] = ${JSON.stringify([place.root, place.data])}`,
  ]
  const program = [PROLOGUE, ...about, attack.script(place)].join('\n')
  const text = Buffer.from(program).toString('base64')
  return `printf %s ${text} | base64 -d > "$TMPDIR/attack.mjs" && exec node "$TMPDIR/attack.mjs"`
}

/** A script's own report. */
export type SelfReport = {
  said: 'reached' | 'out-of-reach' | 'tried'
  what: string
  proof: string | null
}

/** Reads every report that scripts wrote to a log. */
export function readSelfReports(log: string): SelfReport[] {
  return [
    ...log.matchAll(/^AUDIT (reached|out-of-reach|tried) ([a-z-]+)(?: ([0-9a-f-]{71}))?$/gm),
  ].map(([, said, what = '', proof]) => ({
    said: said as SelfReport['said'],
    what,
    proof: proof ?? null,
  }))
}

/** Returns the proof that a script would give for this content. */
export function proofOf(content: string | Buffer): string {
  const hex = createHash('sha256').update(content).digest('hex')
  return (hex.match(/.{8}/g) ?? []).join('-')
}
