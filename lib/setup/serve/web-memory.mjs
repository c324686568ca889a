// @ts-check

/** Megabytes of JavaScript objects, several times what the largest upload needs. */
const MOST_HEAP_MB = 1024
/** Next, the database and compression have a few threads, and a heap of its own for each is mostly empty. */
const ARENAS = '2'

/**
 * How the production web server is started so that it stays small. V8 lets its heap grow to four times what was in use
 * before it collects; below two gigabytes of allowance it is about one and a half times. What was set for node or glibc already is left as it is.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {{ options: string[], env: { MALLOC_ARENA_MAX: string } }} options of node
 */
export function webMemory(env) {
  const isSet = /--max[-_]old[-_]space[-_]size/.test(env.NODE_OPTIONS ?? '')
  return {
    options: isSet ? [] : [`--max-old-space-size=${MOST_HEAP_MB}`],
    env: { MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? ARENAS },
  }
}
