export { PAGE_POLICY } from './draw-page.tsx'
export * from './open-site.tsx'
