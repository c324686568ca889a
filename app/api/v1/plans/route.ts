import { registrationRoute } from '#lib/server/http/registration-route.ts'

export const dynamic = 'force-dynamic'

/**
 * Registers a frozen plan before its first episode, with an upload token or a workflow's identity token. 201 written,
 * 200 known.
 */
export const { POST, GET, HEAD, PUT, PATCH, DELETE } = registrationRoute()
