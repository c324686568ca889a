/** Which steps of an attempt changed the workspace; null = not known. */
export type WorkspaceWatch = {
  /** A step ended; answers at once and looks afterwards. */
  stepEnded: () => void
  /** Looks a last time; the answer holds every step. Safe to call without a step. */
  finish: () => Promise<(boolean | null)[]>
}

/**
 * Compares stamps of a workspace, one at a time, beside the work: a step's tools act between its end and the end of the
 * next one. Steps that end while a stamp is being taken share the next one; when it differs nobody knows which of them it
 * was, so the last is said to have changed it and the others are not known. `stamp` answers null when it cannot say.
 */
export async function watchWorkspace(stamp: () => Promise<string | null>): Promise<WorkspaceWatch> {
  const changes: (boolean | null)[] = []
  let before = await stamp()
  let ended = 0
  let isLooking = false
  let looking = Promise.resolve()

  /** Settles the steps up to `upTo`: nothing, or all of them together, happened since the stamp before. */
  const look = async (upTo: number) => {
    const now = await stamp()
    const changed = before === null || now === null ? null : before !== now
    before = now
    while (changes.length < upTo) changes.push(changed === true ? null : changed)
    if (changed === true && upTo > 0) changes[upTo - 1] = true
  }
  const lookOn = async () => {
    isLooking = true
    // The step that ended last is not settled: its tools are only now at work.
    while (changes.length < ended - 1) await look(ended - 1)
    isLooking = false
  }
  return {
    stepEnded: () => {
      ended += 1
      if (!isLooking) looking = lookOn()
    },
    finish: async () => {
      await looking
      await look(ended)
      return changes
    },
  }
}
