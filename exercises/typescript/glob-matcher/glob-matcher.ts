export interface GlobOptions {
  dot?: boolean
}

export function matchGlob(pattern: string, path: string, options?: GlobOptions): boolean {
  throw new Error('Remove this line and implement the function')
}

export function createIgnore(entries: readonly string[]): (path: string) => boolean {
  throw new Error('Remove this line and implement the function')
}
