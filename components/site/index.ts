export { PAGE_POLICY } from './draw-page.tsx'
export { openSite } from './open-site.tsx'
