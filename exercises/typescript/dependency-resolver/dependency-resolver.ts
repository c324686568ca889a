export interface Package {
  readonly name: string
  /** Names that must be installed before this package. */
  readonly requires?: readonly string[]
  /** Names that must be installed before this package, if the manifest has them at all. */
  readonly optional?: readonly string[]
}

export class MissingPackageError extends Error {
  readonly missing: string
  readonly requiredBy: readonly string[]

  constructor(missing: string, requiredBy: readonly string[]) {
    super()
    throw new Error('Remove this line and implement the function')
  }
}

export class DependencyCycleError extends Error {
  readonly cycle: readonly string[]

  constructor(cycle: readonly string[]) {
    super()
    throw new Error('Remove this line and implement the function')
  }
}

export function resolveInstallOrder(
  manifest: readonly Package[],
  targets?: readonly string[],
): string[] {
  throw new Error('Remove this line and implement the function')
}
