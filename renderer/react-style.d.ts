/** Custom properties are allowed in `style`: bars, meters and panning hand numbers to the style sheet that way. */
import 'react'

declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | number | undefined
  }
}
