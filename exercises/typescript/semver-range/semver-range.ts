export interface Version {
  major: number
  minor: number
  patch: number
  prerelease: (string | number)[]
  build: string[]
}

export function parseVersion(text: string): Version {
  throw new Error('Remove this line and implement the function')
}

export function compareVersions(left: string, right: string): -1 | 0 | 1 {
  throw new Error('Remove this line and implement the function')
}

export function satisfies(version: string, range: string): boolean {
  throw new Error('Remove this line and implement the function')
}

export function maxSatisfying(versions: readonly string[], range: string): string | null {
  throw new Error('Remove this line and implement the function')
}
