/** The letters of the contract, as a reader searches, copies and hears them: one process makes many contracts. */
import { expect, test } from 'vitest';
import { openSheet, STYLES, write } from '../../../src/core/contracts/contract-pdf-sheet.js';
import { EVERY_CASE } from '../../support/breadth.js';
import { someTerms } from '../../support/contract-terms.js';
import { textOf } from '../../support/read-pdf.js';

const CONTRACTS = EVERY_CASE ? 400 : 60;

const ALPHABETS = [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ',
  'ĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŊŋŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžȘșȚț',
  'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψωΆΈΉΊΌΎΏΪΫάέήίόύώϊϋΐΰ',
  'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюяЁёЂђЃѓЄєЅѕІіЇїЈјЉљЊњЋћЌќЍѝЎўЏџҐґ',
  // Of two or three pictures each, a letter and its marks.
  'ẸẹỊịỌọỤụṢṣṂṃṄṅḾḿǸǹẠạẬậẾếỆệỐốỘộỚớỢợỨứỰựỲỳỴỵ',
].map((letters) => Array.from(letters));
/** The same pictures with and without ligature, and dotless, and as parts of others. */
const SPECIAL = 'fi ﬁ office oﬃce ﬂ fl ff ﬀ ı Žižka zoo ZOO 1⁄2 ½ 12'.split(' ');

test('every word of many contracts in mixed alphabets is read as it was written, whatever was made before', async () => {
  const next = seeded(12);
  const misread: string[] = [];
  for (let index = 0; index < CONTRACTS; index += 1) {
    const words = Array.from({ length: 12 }, () => word(next));

    const read = new Set((await textOf(await onePage(words))).split(/\s+/));

    misread.push(...words.filter((each) => !read.has(each)).map((each) => `${index}: ${each}`));
  }
  expect(misread).toEqual([]);
});

/** The paper and the letters of a contract; the words that all contracts share would take most of the time. */
async function onePage(words: string[]): Promise<Buffer> {
  const sheet = openSheet(someTerms());
  const chunks: Buffer[] = [];
  sheet.doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => sheet.doc.on('end', resolve));
  for (const [index, each] of words.entries()) {
    write(sheet, 'P', each, index % 2 === 0 ? STYLES.body : STYLES.name);
  }
  sheet.root.end();
  sheet.doc.end();
  await ended;
  return Buffer.concat(chunks);
}

function word(next: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T;
  if (next() < 0.2) return pick(SPECIAL);
  const letters = pick(ALPHABETS);
  return Array.from({ length: 2 + Math.floor(next() * 8) }, () => pick(letters)).join('');
}

/** Always the same words (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
