import type { RunEvent } from '#lib/domain/run-event.ts'

/** A listener to a run: it shows, it never decides. */
export type Reporter = { on: (event: RunEvent) => void; end: () => void }
