/** A unix socket of the harness and the port that it has on the library's own loopback. */
export type Door = { port: number; socketPath: string }

/** What a library gets to see beside its own three folders, the system and the packages of this project. */
export type LibrarySight = {
  /** Single files and folders, read-only, where they lie. */
  shown: readonly string[]
  doors: readonly Door[]
}

/** Where a door's socket lies inside. */
export function insideSocket({ port }: Pick<Door, 'port'>): string {
  return `/run/doors/${port}.sock`
}
