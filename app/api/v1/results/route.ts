import { submissionRoute } from '#lib/server/http/submission-route.ts'

export const dynamic = 'force-dynamic'

/**
 * Receives results from a program: a bundle, envelopes, an archive of run folders or a file of another program, gzip or
 * not, with an upload token or a workflow's identity token. 201 stored, 200 already stored; `?dryRun=1` reports what
 * would be stored.
 */
export const { POST, GET, HEAD, PUT, PATCH, DELETE } = submissionRoute()
