/**
 * Drawn portraits for demo data. They show no real person, and the networks recognise three different
 * people.
 */

type Portrait = {
  /** Colours. */
  readonly skin: string;
  readonly shade: string;
  readonly hair: string;
  readonly lip: string;
  readonly iris: string;
  readonly ground: string;
  /** Half of the face width at eyes and jaw, and the vertical positions of forehead and chin. */
  readonly width: number;
  readonly jaw: number;
  readonly top: number;
  readonly chin: number;
  /** Half of their distance, vertical position, half of width and height, and slant. */
  readonly eyes: {
    readonly apart: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly slant: number;
  };
  readonly brow: { readonly above: number; readonly width: number };
  readonly nose: { readonly width: number; readonly y: number };
  readonly mouth: { readonly width: number; readonly y: number; readonly lips: number };
  readonly isLongHaired?: boolean;
  readonly hasGlasses?: boolean;
  /** Density from 0 to 1. */
  readonly beard?: number;
};

const MIDDLE = 150;
const left = (x: number): number => MIDDLE - x;
const right = (x: number): number => MIDDLE + x;

function drawEye({ eyes, brow, hair, iris, shade, hasGlasses }: Portrait, side: -1 | 1): string {
  const { y, width, height } = eyes;
  const x = MIDDLE + side * eyes.apart;
  const lid = `M${x - width - 2} ${y}Q${x} ${y - height * 1.8} ${x + width + 2} ${y}`;
  const below = `M${x - width + 1} ${y + 3}Q${x} ${y + height + 6} ${x + width - 1} ${y + 3}`;
  const browY = y - 17 - brow.above;
  const glass = `<rect x="${x - 27}" y="${y - 20}" width="54" height="42" rx="14" fill="#fff" fill-opacity=".12" stroke="#1b1b1f" stroke-width="5"/>`;
  return `<g transform="rotate(${-side * eyes.slant} ${x} ${y})"><ellipse cx="${x}" cy="${y}" rx="${width}" ry="${height}" fill="#f4f0ea"/>
<circle cx="${x}" cy="${y}" r="${Math.min(height, 9)}" fill="${iris}"/><circle cx="${x}" cy="${y}" r="4" fill="#111"/><circle cx="${x + 3}" cy="${y - 3}" r="2" fill="#fff"/>
<path d="${lid}" fill="none" stroke="#2a1c14" stroke-width="3.5"/><path d="${below}" fill="none" stroke="${shade}" stroke-width="2"/>
<path d="M${x - 21} ${browY}Q${x} ${browY - 11} ${x + 21} ${browY}" fill="none" stroke="${hair}" stroke-width="${brow.width}"/></g>${hasGlasses ? glass : ""}`;
}

function drawNose({ eyes, nose, shade }: Portrait): string {
  const { width, y } = nose;
  const nostril = (x: number) => `<ellipse cx="${x}" cy="${y}" rx="4" ry="2" fill="#3a1d14"/>`;
  return `<path d="M${left(6)} ${eyes.y}Q${left(8)} ${y - 20} ${left(width)} ${y - 6}Q${left(width - 2)} ${y + 3} ${left(5)} ${y + 1}Q${MIDDLE} ${y + 6} ${right(5)} ${y + 1}Q${right(width - 2)} ${y + 3} ${right(width)} ${y - 6}" fill="none" stroke="${shade}" stroke-width="3.5"/>${nostril(left(7))}${nostril(right(7))}`;
}

function drawMouth({ mouth: { width, y, lips }, lip }: Portrait): string {
  const line = `${right(width)} ${y}Q${MIDDLE} ${y + 5} ${left(width)} ${y}`;
  return `<path d="M${left(width)} ${y}Q${left(10)} ${y - lips} ${MIDDLE} ${y - lips * 0.6}Q${right(10)} ${y - lips} ${line}Z" fill="${lip}"/>
<path d="M${left(width)} ${y}Q${MIDDLE} ${y + lips * 2.4} ${line}Z" fill="${lip}"/><path d="M${line}" fill="none" stroke="#5a2420" stroke-width="2"/>`;
}

function drawHead({ width, jaw, top, chin, eyes, shade, hair }: Portrait): string {
  const ear = (x: number) => `<ellipse cx="${x}" cy="${eyes.y + 15}" rx="10" ry="20" fill="${shade}"/>`;
  return `${ear(left(width + 2))}${ear(right(width + 2))}
<path d="M${left(width)} 150Q${left(width)} ${top} ${MIDDLE} ${top}Q${right(width)} ${top} ${right(width)} 150Q${right(width - 2)} ${chin - 50} ${right(jaw)} ${chin - 12}Q${MIDDLE} ${chin + 10} ${left(jaw)} ${chin - 12}Q${left(width - 2)} ${chin - 50} ${left(width)} 150Z" fill="url(#skin)"/>
<path d="M${left(width + 6)} 150Q${left(width + 12)} ${top - 20} ${MIDDLE} ${top - 22}Q${right(width + 12)} ${top - 20} ${right(width + 6)} 150Q${right(width - 6)} ${top + 34} ${right(30)} ${top + 26}Q${left(20)} ${top + 34} ${left(width - 6)} ${top + 42}Q${left(width)} ${top + 50} ${left(width + 6)} 150Z" fill="${hair}"/>`;
}

const drawLongHair = ({ width, top, hair }: Portrait): string =>
  `<path d="M${left(width + 24)} 300Q${left(width + 34)} 50 ${MIDDLE} ${top - 26}Q${right(width + 34)} 50 ${right(width + 24)} 300Z" fill="${hair}"/>`;
const drawBeard = ({ width, jaw, chin, mouth: { y }, hair }: Portrait, density: number): string =>
  `<path d="M${left(width - 1)} 180Q${left(width - 4)} ${chin - 46} ${left(jaw)} ${chin - 10}Q${MIDDLE} ${chin + 18} ${right(jaw)} ${chin - 10}Q${right(width - 4)} ${chin - 46} ${right(width - 1)} 180Q${right(width - 22)} ${y - 14} ${right(24)} ${y - 15}Q${MIDDLE} ${y - 20} ${left(24)} ${y - 15}Q${left(width - 22)} ${y - 14} ${left(width - 1)} 180Z" fill="${hair}" opacity="${density}"/>`;
function drawShadows({ eyes: { apart, y }, nose, shade }: Portrait): string {
  const socket = (x: number) => `<ellipse cx="${x}" cy="${y - 4}" rx="24" ry="13" fill="${shade}"/>`;
  return `<g filter="url(#soft)" opacity=".5">${socket(left(apart))}${socket(right(apart))}<path d="M${right(6)} ${y}L${right(nose.width + 6)} ${nose.y - 4}L${left(4)} ${nose.y}Z" fill="${shade}"/></g>`;
}

/** Renders an SVG of 300 by 340 pixels. */
export function drawPortrait(portrait: Portrait): string {
  const { skin, shade, ground, eyes, isLongHaired = false, hasGlasses = false, beard = 0 } = portrait;
  const bridge = `<path d="M${left(eyes.apart - 27)} ${eyes.y}L${right(eyes.apart - 27)} ${eyes.y}" stroke="#1b1b1f" stroke-width="5"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="340" viewBox="0 0 300 340"><defs>
<radialGradient id="skin" cx=".42" cy=".4" r=".7"><stop offset="0" stop-color="${skin}"/><stop offset=".65" stop-color="${skin}"/><stop offset="1" stop-color="${shade}"/></radialGradient>
<filter id="blur" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="1.1"/></filter>
<filter id="soft" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="6"/></filter></defs>
<rect width="300" height="340" fill="${ground}"/><g filter="url(#blur)">${isLongHaired ? drawLongHair(portrait) : ""}
<path d="M40 340Q60 300 118 290L182 290Q240 300 260 340Z" fill="#39527a"/><path d="M116 235L116 296Q150 318 184 296L184 235Z" fill="${shade}"/>
${drawHead(portrait)}${beard > 0 ? drawBeard(portrait, beard) : ""}${drawShadows(portrait)}
${drawEye(portrait, -1)}${drawEye(portrait, 1)}${hasGlasses ? bridge : ""}${drawNose(portrait)}${drawMouth(portrait)}</g></svg>`;
}

export const PORTRAITS: ReadonlyMap<string, Portrait> = new Map<string, Portrait>([
  [
    "Ann",
    {
      skin: "#f2cdb0",
      shade: "#b98a6a",
      hair: "#15100d",
      lip: "#b8534e",
      iris: "#4a7a9a",
      ground: "#9fb4bd",
      width: 85,
      jaw: 46,
      top: 90,
      chin: 254,
      eyes: { apart: 43, y: 145, width: 13, height: 11, slant: -3 },
      brow: { above: 0, width: 9 },
      nose: { width: 19, y: 183 },
      mouth: { width: 25, y: 208, lips: 11 },
      hasGlasses: true,
    },
  ],
  [
    "Ben",
    {
      skin: "#8a5a3c",
      shade: "#4a2c1a",
      hair: "#2a1a12",
      lip: "#7c3535",
      iris: "#3b2618",
      ground: "#b9b09c",
      width: 67,
      jaw: 60,
      top: 89,
      chin: 246,
      eyes: { apart: 40, y: 152, width: 19, height: 8, slant: 1 },
      brow: { above: -4, width: 10 },
      nose: { width: 25, y: 201 },
      mouth: { width: 24, y: 233, lips: 9 },
      beard: 0.64,
    },
  ],
  [
    "Cleo",
    {
      skin: "#a9704c",
      shade: "#5e3922",
      hair: "#6b3f22",
      lip: "#7c3535",
      iris: "#3b2618",
      ground: "#c7bca8",
      width: 84,
      jaw: 43,
      top: 56,
      chin: 277,
      eyes: { apart: 30, y: 142, width: 19, height: 11, slant: -10 },
      brow: { above: -2, width: 2 },
      nose: { width: 18, y: 200 },
      mouth: { width: 35, y: 231, lips: 5 },
      isLongHaired: true,
    },
  ],
]);
