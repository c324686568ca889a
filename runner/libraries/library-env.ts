import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OWN_ENV } from '../process/own-env.ts'
import { MARKER_VARIABLE } from '../process/process-tree.ts'
import { RUN_VARIABLE } from '../process/start-guard.ts'

/** Harmless words of the machine, and the marks by which the harness finds what a library leaves behind. */
const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TZ', MARKER_VARIABLE, RUN_VARIABLE] as const

/** The whole environment of a program that a library starts: HOME and every other folder of its own below `folder`. */
export function libraryEnv(folder: string, more: Record<string, string> = {}) {
  const home = join(folder, 'home')
  const temporary = join(folder, 't') // sockets below it have little room for their path
  for (const place of [home, temporary]) mkdirSync(place, { recursive: true, mode: 0o700 })
  const passed = PASSED_ON.flatMap((name) => (OWN_ENV[name] ? [[name, OWN_ENV[name]]] : []))
  return {
    ...(Object.fromEntries(passed) as Record<string, string>),
    HOME: home,
    TMPDIR: temporary,
    XDG_RUNTIME_DIR: temporary,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    CI: '1',
    NO_COLOR: '1',
    ...more,
  }
}
