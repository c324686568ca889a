/** The same as below /api/v1, where people and feed readers look for it. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '../api/v1/feed.json/route.ts'
