// The script in the head of every page (`SiteScript` in ../site.tsx). A page without React needs no other, and nothing on a page
// is missing without it.
import { startBehaviour } from './start.ts'

startBehaviour()
