export type QueryValue = string | QueryValue[] | { [name: string]: QueryValue }
export type QueryObject = { [name: string]: QueryValue }

export class QueryError extends Error {}

export function stringifyQuery(query: QueryObject): string {
  throw new Error('Remove this line and implement the function')
}

export function parseQuery(text: string): QueryObject {
  throw new Error('Remove this line and implement the function')
}
