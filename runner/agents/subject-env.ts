import type { SubjectTurn } from '../controls/subject-driver.ts'
import { RUN_VARIABLE } from '../process/start-guard.ts'

const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TZ'] as const

/** The whole environment of a subject: a few harmless variables of ours by name, and fresh folders. No secrets. */
export function subjectEnv(
  turn: SubjectTurn,
  own: Record<string, string | undefined>,
): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => (own[name] ? [[name, own[name] as string]] : []))
  return {
    ...Object.fromEntries(passed),
    HOME: turn.home,
    TMPDIR: turn.temporary,
    XDG_CONFIG_HOME: `${turn.home}/.config`,
    XDG_CACHE_HOME: `${turn.home}/.cache`,
    CI: '1',
    NO_COLOR: '1',
    [RUN_VARIABLE]: turn.runMark,
  }
}
