/** Why a commit yields no task, by code; rows of the table add details. */
export const FALL_REASONS = {
  merge: 'is a merge',
  root: 'has no parent',
  'no-tests': 'changes no test that is run',
  'only-tests': 'changes tests alone',
  'tests-deleted': 'deletes tests and changes none',
  submodule: 'changes a submodule',
  symlink: 'changes a symbolic link',
  'odd-path': 'has a path that no task can hold',
  binary: 'changes a binary file',
  'too-large': 'is too large',
  'lock-changed': 'changes dependencies, and those of its parent are installed',
  'message-empty': 'says nothing in its message',
  duplicate: 'is the same change as another commit',
  unusable: 'cannot be checked out as a task',
  'setup-fails': 'the set-up fails',
  'needs-network': 'needs the network',
  'not-red': 'its tests do not fail without it',
  'not-green': 'its tests do not pass with it',
  'none-passes': 'none of its tests passes with it',
  flaky: 'its tests do not pass every time',
  'not-proven': 'cannot be proven',
  'too-slow': 'takes too long',
} as const

export type FallCode = keyof typeof FALL_REASONS

export const FALL_CODES = Object.keys(FALL_REASONS) as [FallCode, ...FallCode[]]

/** Why one commit was rejected; `detail` adds what the code does not state. */
export type Fall = { code: FallCode; detail: string }

export function fall(code: FallCode, detail = ''): Fall {
  return { code, detail: detail.slice(0, 500) }
}

/** Thrown when a commit is rejected during its processing. */
export class FallsOut extends Error {
  readonly fall: Fall

  constructor(code: FallCode, detail = '') {
    super(`${FALL_REASONS[code]}: ${detail}`)
    this.fall = fall(code, detail)
  }

  static of({ code, detail }: Fall): FallsOut {
    return new FallsOut(code, detail)
  }
}

/** Formats the reason as a sentence without its subject. */
export function describeFall({ code, detail }: Fall): string {
  return detail === '' ? FALL_REASONS[code] : `${FALL_REASONS[code]}: ${detail}`
}
