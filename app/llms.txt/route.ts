/** The same as below /api/v1, where programs look for it. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '../api/v1/llms.txt/route.ts'
