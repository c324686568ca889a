import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { OWN_ENV } from '../../sandbox/process/own-env.ts'
import { MARKER_VARIABLE } from '../../sandbox/process/process-tree.ts'
import type { HostRequest } from '../host-protocol.ts'

const PASSED_ON = ['PATH', MARKER_VARIABLE] as const

/** Runs a coding agent beside its browser and answers its exit code; null = it could not be started or was killed. */
export async function runAgent({
  argv,
  env,
  cwd,
  stdin,
}: Extract<HostRequest['drive'], { kind: 'agent' }>): Promise<number | null> {
  const [program = '', ...args] = argv
  const passed = PASSED_ON.flatMap((name) => (OWN_ENV[name] ? [[name, OWN_ENV[name]]] : []))
  const input = stdin === null ? null : openSync(stdin, 'r')
  try {
    const child = spawn(program, args, {
      cwd,
      env: { ...env, ...Object.fromEntries(passed) },
      // An open pipe that nobody closes makes several agents wait for it.
      stdio: [input ?? 'ignore', 'inherit', 'inherit'],
    })
    return await new Promise((resolve) => {
      child.once('error', () => resolve(null))
      child.once('exit', (code) => resolve(code))
    })
  } finally {
    if (input !== null) closeSync(input)
  }
}
