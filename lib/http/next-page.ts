import { z } from 'zod'
import { AppError } from '#lib/errors.ts'

/** Where a list goes on: what its order is by, of the last one that was shown. */
export type Place = readonly [at: string, id: string]

const placeSchema = z.tuple([z.string().max(200), z.string().max(200)])

/** The place that a cursor stands for; null = the beginning. Throws an AppError for one that we did not make. */
export function readCursor(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null
  try {
    return placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')))
  } catch {
    const message =
      'cursor: invalid cursor; use the value of "next", or leave it out to start from the beginning'
    throw new AppError('invalid-request', message)
  }
}

/** The address of the page behind a place, with everything else as it was asked for; null = there is none. */
export function nextPage({ url }: Request, last: Place | null): string | null {
  if (last === null) return null
  const { pathname, searchParams } = new URL(url)
  searchParams.set('cursor', Buffer.from(JSON.stringify(last)).toString('base64url'))
  return `${pathname}?${searchParams}`
}
