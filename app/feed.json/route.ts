/** The feed of /api/v1, also at the address where people and feed readers look for it. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '../api/v1/feed.json/route.ts'
