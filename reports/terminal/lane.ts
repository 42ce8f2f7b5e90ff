/** One line of the timeline: a row of cells over true time, each with a character and a style. */
import type { Interval } from '../view/clocks.js';
import type { Paint, Style } from './text.js';

export class Scale {
  readonly usPerColumn: number;
  constructor(
    readonly window: Interval,
    readonly columns: number,
  ) {
    this.usPerColumn = (window.untilUs - window.fromUs) / columns;
  }

  /** The column of an instant; outside the window it is below 0 or from `columns` on. */
  column(atUs: number): number {
    if (atUs === this.window.untilUs) return this.columns - 1;
    return Math.floor((atUs - this.window.fromUs) / this.usPerColumn);
  }

  /** First and last column of a half-open interval, cut to the window; undefined outside it. */
  span({ fromUs, untilUs }: Interval): [first: number, last: number] | undefined {
    const first = Math.max(0, this.column(fromUs));
    const last = Math.min(this.columns - 1, Math.max(this.column(fromUs), this.column(untilUs - 1)));
    return first > last ? undefined : [first, last];
  }
}

export class Lane {
  private readonly cells: { character: string; style: Style | undefined }[];

  constructor(
    readonly label: string,
    private readonly scale: Scale,
    cells?: { character: string; style: Style | undefined }[],
  ) {
    this.cells = cells ?? Array.from({ length: scale.columns }, () => ({ character: ' ', style: undefined }));
  }

  /** The same cells under another name. */
  renamed(label: string): Lane {
    return new Lane(label, this.scale, this.cells);
  }

  /** Puts a text from a column on; what lies outside the lane is dropped. */
  put(column: number, text: string, style?: Style): void {
    [...text].forEach((character, offset) => {
      if (this.cells[column + offset] !== undefined) this.cells[column + offset] = { character, style };
    });
  }

  mark(atUs: number, character: string, style?: Style): void {
    this.put(this.scale.column(atUs), character, style);
  }

  fill(interval: Interval, character: string, style?: Style): void {
    const span = this.scale.span(interval);
    if (span === undefined) return;
    for (let column = span[0]; column <= span[1]; column++) this.put(column, character, style);
  }

  /** Changes the cells that show `from` within an interval. */
  overlay(
    interval: Interval,
    replace: Readonly<Record<string, string>>,
    otherwise: string,
    style?: Style,
  ): void {
    const span = this.scale.span(interval);
    if (span === undefined) return;
    for (let column = span[0]; column <= span[1]; column++)
      this.put(column, replace[this.cells[column]!.character] ?? otherwise, style);
  }

  /** Changes the cells of an interval that show one of the characters `from`; labels stay. */
  swap(interval: Interval, from: string, to: string, style?: Style): void {
    const span = this.scale.span(interval);
    if (span === undefined) return;
    for (let column = span[0]; column <= span[1]; column++)
      if (from.includes(this.cells[column]!.character)) this.put(column, to, style);
  }

  isFree(column: number, length: number): boolean {
    if (column < 0 || column + length > this.cells.length) return false;
    return this.cells.slice(column, column + length).every(({ character }) => character === ' ');
  }

  get isEmpty(): boolean {
    return this.cells.every(({ character }) => character === ' ');
  }

  /** The cells as text, runs of one style painted together, without spaces at the end. */
  render(paint: Paint): string {
    let last = this.cells.length;
    while (last > 0 && this.cells[last - 1]!.character === ' ') last--;
    let text = '';
    for (let at = 0; at < last;) {
      const { style } = this.cells[at]!;
      let run = '';
      while (at < last && this.cells[at]!.style === style) run += this.cells[at++]!.character;
      text += style === undefined ? run : paint(style, run);
    }
    return text;
  }
}
