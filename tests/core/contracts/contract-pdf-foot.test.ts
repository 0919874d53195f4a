/** The foot of a page belongs to its number: no words of the contract run through it, however long they are and whatever language they are in. */
import { expect, test } from 'vitest';
import { renderContractPdf, type ContractTerms } from '../../../src/core/contracts/contract-pdf.js';
import { everyNth } from '../../support/breadth.js';
import { someTerms } from '../../support/contract-terms.js';
import { shownPages } from '../../support/read-pdf.js';

/** The line above the page number, in points from the top of an A4 page. */
const FOOT = 782;

const SENTENCES = {
  English: 'Check the burner, clean the valves and replace what is worn.',
  Vietnamese: 'Kiểm tra đầu đốt, làm sạch van và thay thế những gì bị mòn.',
  Greek: 'Έλεγχος του καυστήρα, καθαρισμός των βαλβίδων.',
  Hebrew: 'בדיקת המבער, ניקוי השסתומים והחלפת מה שנשחק.',
  Arabic: 'فحص الموقد وتنظيف الصمامات واستبدال ما تآكل.',
  Thai: 'ตรวจสอบหัวเผา ทำความสะอาดวาล์ว และเปลี่ยนชิ้นส่วนที่สึกหรอ',
  Hindi: 'बर्नर की जाँच करें, वाल्व साफ़ करें और घिसे हुए पुर्ज़े बदलें।',
  Japanese: 'バーナーを点検し、弁を清掃し、摩耗した部品を交換する。',
};

/** How often the sentence stands there: enough for each height at which a page can end. */
const COUNTS = Array.from({ length: 14 }, (_, i) => 4 * i);

/** Everything else that can be long, of another length each time: it moves where the page ends. */
function wordy(sentence: string, count: number): Partial<ContractTerms> {
  const repeated = (times: number, between = ' ') =>
    Array.from({ length: times }, () => sentence).join(between);
  if (count % 3 === 0) return {};
  const { customer } = someTerms();
  return {
    title: repeated(1 + (count % 4)).slice(0, 255),
    customer: { ...customer, phone: '+33612345678', address: repeated(1 + ((count * 5) % 23), '\n') },
    company: {
      address: repeated(1 + (count % 5)),
      registration: 'RCS Paris 123 456 789',
      phone: '+33123456789',
    },
    vat: 20,
  };
}

test.each(Object.entries(SENTENCES))('%s', async (_, sentence) => {
  for (const count of everyNth(COUNTS, 3)) {
    // Paragraphs and mere lines end at other heights.
    const description = Array.from({ length: count }, () => sentence).join(count % 3 === 0 ? '\n\n' : '\n');
    const locale = count % 8 === 0 ? 'en' : 'fr';
    const pages = await shownPages(
      await renderContractPdf(someTerms({ ...wordy(sentence, count), description, locale })),
    );
    for (const [index, { words }] of pages.entries()) {
      const text = words.filter(({ isDecoration }) => !isDecoration);
      const lowest = Math.max(...text.map(({ bottom }) => bottom));
      expect({ count, page: index + 1, isAbove: lowest < FOOT, lowest }).toMatchObject({ isAbove: true });
      const foot = words.filter(({ top }) => top > FOOT).map((each) => each.words);
      expect(foot.join(' ')).toMatch(
        new RegExp(`REQ-2026-000123.*Page ${index + 1} (of|sur) ${pages.length}`),
      );
    }
  }
});
