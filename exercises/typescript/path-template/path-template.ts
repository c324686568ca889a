export type PathParams<Template extends string> = any

export interface PathTemplate<Template extends string> {
  match(path: string): any
  build(params?: any): string
}

export function pathTemplate(template: string): PathTemplate<any> {
  throw new Error('Remove this line and implement the function')
}
