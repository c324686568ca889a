export type ArrayStrategy = 'replace' | 'concat'

export interface MergeOptions<Arrays extends ArrayStrategy> {
  arrays?: any
}

export type DeepMerge<Base, Override, Arrays extends ArrayStrategy = 'replace'> = any

export function deepMerge(base: any, override: any, options?: MergeOptions<any>): any {
  throw new Error('Remove this line and implement the function')
}
