import { z } from 'zod'
import {
  durationMsSchema,
  environmentSchema,
  instantSchema,
  slugSchema,
  subjectSchema,
} from '../record/index.ts'

const count = z.number().int().nonnegative()

/** An induced error, and whether the library's message is actionable. */
export const inducedErrorSchema = z.strictObject({
  /** What was done: `click on an element that is not there`. */
  induced: z.string().min(1).max(200),
  /** What the library said; null = nothing, it went on as if all were well. */
  message: z.string().max(4000).nullable(),
  actionable: z.boolean(),
})
export type InducedError = z.infer<typeof inducedErrorSchema>

const toolsSchema = z
  .strictObject({
    count,
    /** Tools with a description of their own. */
    described: count,
    /** Tools all of whose parameters have a type. */
    typed: count,
    /** Of names, descriptions and schemas together, by the o200k encoding: what a model reads before it acts. */
    schemaTokens: count.nullable(),
  })
  .refine((tools) => tools.described <= tools.count && tools.typed <= tools.count, {
    message: 'described or typed tools exceed the number of tools',
  })

/** What was measured of one version of a library itself, apart from any episode. Null = not measured, never 0. */
export const libraryFactSchema = z.strictObject({
  name: subjectSchema.shape.name,
  version: z.string().min(1).max(100),
  /** Lines of code, blank lines and comments left out, that make the library fit the action surface. */
  adapterLines: count.nullable(),
  /** Lines of the driver that performs a task with it, by task. */
  driverLinesPerTask: z.record(slugSchema, count).nullable(),
  /** Null also for a library that has no tools. */
  tools: toolsSchema.nullable(),
  /** What it gives back for opening a page and looking at it once, over some pages; null or absent = not measured. */
  pagesShown: z
    .strictObject({ pages: count.min(1), bytes: count, tokens: count.nullable() })
    .nullable()
    .optional(),
  errors: z.array(inducedErrorSchema).max(100).nullable(),
  /** From the start page to being signed in, and the lines of the driver that do it. */
  authSetup: z
    .strictObject({ lines: count.nullable(), ms: durationMsSchema.nullable() })
    .nullable(),
  measuredAt: instantSchema,
  harness: environmentSchema.shape.harness,
})
export type LibraryFact = z.infer<typeof libraryFactSchema>

/** `library-facts.json` of a suite: at most one entry for each version of a library. */
export const libraryFactsSchema = z.strictObject({
  schemaVersion: z.literal(1),
  libraries: z
    .array(libraryFactSchema)
    .max(200)
    .refine((facts) => new Set(facts.map(keyOf)).size === facts.length, {
      message: 'duplicate version of a library',
    }),
})
export type LibraryFacts = z.infer<typeof libraryFactsSchema>

function keyOf({ name, version }: LibraryFact): string {
  return `${name} ${version}`
}
