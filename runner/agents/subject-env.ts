import { RUN_VARIABLE } from '../process/start-guard.ts'

const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TZ'] as const

/** The whole environment of a subject: a few harmless variables of ours by name, and fresh folders. No secrets. */
export function subjectEnv(
  place: { home: string; temporary: string; runMark: string },
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => (own[name] ? [[name, own[name] as string]] : []))
  return {
    ...Object.fromEntries(passed),
    HOME: place.home,
    TMPDIR: place.temporary,
    XDG_CONFIG_HOME: `${place.home}/.config`,
    XDG_CACHE_HOME: `${place.home}/.cache`,
    CI: '1',
    NO_COLOR: '1',
    [RUN_VARIABLE]: place.runMark,
  }
}
