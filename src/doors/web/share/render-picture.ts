import { fileURLToPath } from 'node:url'

const fontFiles = [
  import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  import.meta.resolve('@expo-google-fonts/inter/700Bold/Inter_700Bold.ttf'),
].map((address) => fileURLToPath(address))

/** An SVG as PNG, drawn off the event loop. The renderer is loaded with the first picture. */
export async function renderPicture(svg: string): Promise<Buffer> {
  const { renderAsync } = await import('@resvg/resvg-js')
  const image = await renderAsync(svg, {
    font: { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Inter' },
  })
  return image.asPng()
}
