/** The worker's side of documents on paper: a heading, facts, a table over as many pages as it takes, and totals. */
import anyAscii from "any-ascii";
import PDFDocument from "pdfkit";
import { dateOf } from "#kernel/clock";
import { handOver, type Metered, ownBytes, startThreadMeter } from "#kernel/workers";
import type { Column, Drawn, DrawTask, Sheet } from "./pdf.ts";

type Paper = InstanceType<typeof PDFDocument>;
const MARGIN = 50;
const PAGE_WIDTH = 595;
const PAGE_HEIGHT = 842;
const BODY_WIDTH = PAGE_WIDTH - 2 * MARGIN;
const FOOT_HEIGHT = 40;
const ROW_HEIGHT = 16;
const FACT_HEIGHT = 15;
const LABEL_WIDTH = 150;
const INK = "#1c2430";
const FAINT = "#667080";
const ACCENT = "#0b6e4f";

/** The standard PDF fonts cover only Western European letters. Other letters are transliterated. */
const OUTSIDE = /[^\x20-\x7e\xa0-\xff€]/gu;
const printable = (text: string): string => text.replace(OUTSIDE, (letter) => anyAscii(letter) || "?");

/** One line in a box. Text that is too long is cut with an ellipsis. */
function line(
  paper: Paper,
  text: string,
  [x, y, width]: readonly [number, number, number],
  align: "left" | "right" = "left",
) {
  paper.text(printable(text), x, y, { width, height: ROW_HEIGHT, align, lineBreak: false, ellipsis: true });
}
function heading(paper: Paper, { title, facts }: Sheet): number {
  paper.font("Helvetica").fontSize(9).fillColor(ACCENT);
  line(paper, "MEDLEY BANK", [MARGIN, MARGIN, BODY_WIDTH]);
  paper.font("Helvetica-Bold").fontSize(20).fillColor(INK);
  paper.text(printable(title), MARGIN, MARGIN + 16, { width: BODY_WIDTH, height: 26, ellipsis: true });
  let y = MARGIN + 56;
  paper.fontSize(10);
  for (const [label, value] of facts) {
    paper.font("Helvetica").fillColor(FAINT);
    line(paper, label, [MARGIN, y, LABEL_WIDTH]);
    paper.fillColor(INK);
    line(paper, value, [MARGIN + LABEL_WIDTH, y, BODY_WIDTH - LABEL_WIDTH]);
    y += FACT_HEIGHT;
  }
  return y + 14;
}
const rule = (paper: Paper, y: number, color: string): void => {
  paper
    .moveTo(MARGIN, y)
    .lineTo(PAGE_WIDTH - MARGIN, y)
    .lineWidth(0.5)
    .strokeColor(color)
    .stroke();
};
function tableRow(paper: Paper, columns: readonly Column[], cells: readonly string[], y: number): void {
  let x = MARGIN;
  for (const [at, { width, align }] of columns.entries()) {
    line(paper, cells[at] ?? "", [x, y, width - 6], align ?? "left");
    x += width;
  }
}
function tableHead(paper: Paper, columns: readonly Column[], y: number): number {
  paper.font("Helvetica-Bold").fontSize(8).fillColor(FAINT);
  tableRow(
    paper,
    columns,
    columns.map(({ title }) => title),
    y,
  );
  rule(paper, y + 12, FAINT);
  paper.font("Helvetica").fontSize(8.5).fillColor(INK);
  return y + ROW_HEIGHT + 2;
}
const BOTTOM = PAGE_HEIGHT - MARGIN - FOOT_HEIGHT;

function table(paper: Paper, { columns, rows }: NonNullable<Sheet["table"]>, top: number): number {
  let y = tableHead(paper, columns, top);
  for (const cells of rows) {
    if (y > BOTTOM) {
      paper.addPage();
      y = tableHead(paper, columns, MARGIN);
    }
    tableRow(paper, columns, cells, y);
    y += ROW_HEIGHT;
  }
  return y;
}
function totals(paper: Paper, lines: NonNullable<Sheet["totals"]>, top: number): number {
  let y = top + 4;
  if (y + lines.length * FACT_HEIGHT > BOTTOM) {
    paper.addPage();
    y = MARGIN;
  }
  rule(paper, y, FAINT);
  y += 8;
  paper.fontSize(10);
  for (const [label, value] of lines) {
    paper.font("Helvetica").fillColor(FAINT);
    line(paper, label, [MARGIN, y, BODY_WIDTH - 130]);
    paper.font("Helvetica-Bold").fillColor(INK);
    line(paper, value, [PAGE_WIDTH - MARGIN - 130, y, 124], "right");
    y += FACT_HEIGHT;
  }
  return y;
}
function feet(paper: Paper): void {
  const { start, count } = paper.bufferedPageRange();
  for (let at = start; at < start + count; at += 1) {
    paper.switchToPage(at);
    // Without a bottom margin, text in the footer does not start a new page.
    paper.page.margins.bottom = 0;
    paper.font("Helvetica").fontSize(8).fillColor(FAINT);
    const y = PAGE_HEIGHT - MARGIN;
    line(paper, "Medley Bank · a simulation: no money of anybody is kept here", [MARGIN, y, BODY_WIDTH - 80]);
    line(paper, `Page ${at - start + 1} of ${count}`, [PAGE_WIDTH - MARGIN - 80, y, 74], "right");
  }
}

export async function run({ sheet, nowMs, meter }: Metered<DrawTask>): Promise<Drawn> {
  startThreadMeter(meter);
  const now = dateOf(nowMs);
  const paper = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    bufferPages: true,
    info: { Title: sheet.title, Author: "Medley Bank", CreationDate: now, ModDate: now },
  });
  const parts: Uint8Array[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    paper.on("data", (part: Uint8Array) => parts.push(part));
    paper.on("end", resolve);
    paper.on("error", reject);
  });
  let y = heading(paper, sheet);
  if (sheet.table) y = table(paper, sheet.table, y);
  if (sheet.totals) y = totals(paper, sheet.totals, y);
  if (sheet.closing !== undefined) {
    paper.font("Helvetica").fontSize(9).fillColor(FAINT);
    paper.text(printable(sheet.closing), MARGIN, y + 14, { width: BODY_WIDTH, height: 60, ellipsis: true });
  }
  for (const { bytes, ...file } of sheet.files ?? [])
    paper.file(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      ...file,
      creationDate: now,
      modifiedDate: now,
    });
  feet(paper);
  paper.end();
  await ended;
  const bytes = ownBytes(Buffer.concat(parts));
  return handOver({ bytes }, bytes.buffer);
}
