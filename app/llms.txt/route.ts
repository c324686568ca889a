/** The file of /api/v1, also at the address where programs look for it. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from '../api/v1/llms.txt/route.ts'
