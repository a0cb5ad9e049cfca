//! Labels of other languages: accents, case, other scripts, signs of other scripts.

use windrow_learn::domain::Domain;

use super::{check_in, domain};

fn tongues() -> Domain {
    domain(
        r#"
name = "tongues"
[role.brand]
keywords = ["Marke", "Marque", "Marca", "Бренд", "ブランド"]
[role.manufacturer]
keywords = ["Hersteller", "Fabricant", "Fabricante", "Производитель", "メーカー", "Κατασκευαστής", "Výrobce", "Üretici"]
[role.price]
keywords = ["Preis", "Prix", "Precio", "Цена", "価格", "Τιμή", "Cena", "Fiyat", "السعر", "ราคา"]
value = '[\d٠-٩]'
[role.weight]
keywords = ["Gewicht", "Poids", "Peso", "Вес", "重量", "Βάρος", "Hmotnost", "Ağırlık", "الوزن", "น้ำหนัก"]
value = '[\d٠-٩]'
[role.color]
keywords = ["Farbe", "Couleur", "Color", "Цвет", "カラー", "Χρώμα", "Barva", "Renk", "اللون", "สี"]
[role.size]
keywords = ["Größe", "Maße", "Taille", "Tamaño", "Размер", "サイズ", "Μέγεθος", "Velikost", "Boyut", "المقاس", "ขนาด"]
[role.reference]
keywords = ["Artikelnummer", "Référence", "Código", "Артикул", "型番"]
"#,
    )
}

#[test]
fn german_labels() {
    check_in(
        tongues(),
        "<h1>Laubrechen</h1><table><tr><td>Marke:</td><td>Müller</td></tr><tr><td>Preis:</td><td>3,77 €</td></tr>\
         <tr><td>Größe:</td><td>1,60 m</td></tr><tr><td>Gewicht:</td><td>1,4 kg</td></tr>\
         <tr><td>Farbe:</td><td>grün</td></tr></table>",
        &["brand: Müller", "price: 3,77 €", "size: 1,60 m", "weight: 1,4 kg", "color: grün"],
    );
}

#[test]
fn german_labels_in_capitals_and_without_umlauts() {
    // Capital ß is SS in most fonts: GRÖSSE.
    check_in(
        tongues(),
        "<h1>Laubrechen</h1><p>MARKE: Müller</p><p>PREIS: 3,77 €</p><p>GRÖSSE: 1,60 m</p><p>GEWICHT: 1,4 kg</p>",
        &["brand: Müller", "price: 3,77 €", "size: 1,60 m", "weight: 1,4 kg"],
    );
}

#[test]
fn french_labels_with_a_space_before_the_colon() {
    check_in(
        tongues(),
        "<h1>Râteau</h1><ul><li>Marque\u{a0}: Dupont</li><li>Prix\u{202f}: 3,77\u{a0}€</li><li>Référence : R-22</li>\
         <li>Poids : 1,4 kg</li></ul>",
        &["brand: Dupont", "price: 3,77 €", "reference: R-22", "weight: 1,4 kg"],
    );
}

#[test]
fn french_labels_in_capitals_without_accents() {
    check_in(
        tongues(),
        "<h1>Râteau</h1><ul><li>MARQUE : Dupont</li><li>PRIX : 3,77 €</li><li>REFERENCE : R-22</li>\
         <li>POIDS : 1,4 kg</li></ul>",
        &["brand: Dupont", "price: 3,77 €", "reference: R-22", "weight: 1,4 kg"],
    );
}

#[test]
fn labels_with_combining_accents() {
    check_in(
        tongues(),
        "<h1>Rateau</h1><ul><li>Marque: Dupont</li><li>Prix: 3,77 €</li><li>Re\u{301}fe\u{301}rence: R-22</li>\
         <li>Poids: 1,4 kg</li></ul>",
        &["brand: Dupont", "price: 3,77 €", "reference: R-22", "weight: 1,4 kg"],
    );
}

#[test]
fn spanish_labels() {
    check_in(
        tongues(),
        "<h1>Rastrillo</h1><dl><dt>Marca</dt><dd>Núñez</dd><dt>Precio</dt><dd>3,77 €</dd><dt>Tamaño</dt><dd>1,60 m</dd>\
         <dt>Código</dt><dd>R-22</dd><dt>FABRICANTE</dt><dd>Núñez e Hijos</dd></dl>",
        &["brand: Núñez", "price: 3,77 €", "size: 1,60 m", "reference: R-22", "manufacturer: Núñez e Hijos"],
    );
}

#[test]
fn russian_labels() {
    check_in(
        tongues(),
        "<h1>Грабли</h1><table><tr><td>Бренд</td><td>Урожай</td></tr><tr><td>ЦЕНА</td><td>377 ₽</td></tr>\
         <tr><td>Вес</td><td>1,4 кг</td></tr><tr><td>Цвет</td><td>зелёный</td></tr>\
         <tr><td>Производитель</td><td>ООО «Урожай»</td></tr></table>",
        &["brand: Урожай", "price: 377 ₽", "weight: 1,4 кг", "color: зелёный", "manufacturer: ООО «Урожай»"],
    );
}

#[test]
fn japanese_labels_with_a_wide_colon() {
    check_in(
        tongues(),
        "<h1>熊手</h1><p>ブランド：アクメ</p><p>価格：￥3,770</p><p>重量：１．４kg</p><p>カラー：赤</p><p>型番：R-22</p>",
        &["brand: アクメ", "price: ￥3,770", "weight: １．４kg", "color: 赤", "reference: R-22"],
    );
}

#[test]
fn japanese_labels_in_brackets() {
    check_in(
        tongues(),
        "<h1>熊手</h1><p>【ブランド】アクメ<br>【価格】3,770円<br>【重量】1.4kg<br>【サイズ】160cm</p>",
        &["brand: アクメ", "price: 3,770円", "weight: 1.4kg", "size: 160cm"],
    );
}

#[test]
fn japanese_labels_in_half_width_letters() {
    check_in(
        tongues(),
        "<h1>熊手</h1><table><tr><th>ﾌﾞﾗﾝﾄﾞ</th><td>アクメ</td></tr><tr><th>価格</th><td>3,770円</td></tr>\
         <tr><th>ｻｲｽﾞ</th><td>160cm</td></tr><tr><th>重量</th><td>1.4kg</td></tr></table>",
        &["brand: アクメ", "price: 3,770円", "size: 160cm", "weight: 1.4kg"],
    );
}

#[test]
fn greek_labels_in_capitals_without_accents() {
    check_in(
        tongues(),
        "<h1>Τσουγκράνα</h1><p>ΚΑΤΑΣΚΕΥΑΣΤΗΣ: Άκμη</p><p>ΤΙΜΗ: 3,77 €</p><p>ΒΑΡΟΣ: 1,4 kg</p><p>Μέγεθος: 1,60 m</p>",
        &["manufacturer: Άκμη", "price: 3,77 €", "weight: 1,4 kg", "size: 1,60 m"],
    );
}

#[test]
fn czech_labels() {
    check_in(
        tongues(),
        "<h1>Hrábě</h1><dl><dt>Výrobce:</dt><dd>Škoda</dd><dt>Cena:</dt><dd>77 Kč</dd><dt>Hmotnost:</dt><dd>1,4 kg</dd>\
         <dt>Barva:</dt><dd>žlutá</dd></dl>",
        &["manufacturer: Škoda", "price: 77 Kč", "weight: 1,4 kg", "color: žlutá"],
    );
}

#[test]
fn turkish_labels_in_capitals() {
    // The capital of ğ is Ğ, that of ı is I, that of i is İ.
    check_in(
        tongues(),
        "<h1>Tırmık</h1><p>ÜRETİCİ: Akme</p><p>FİYAT: 77 TL</p><p>AĞIRLIK: 1,4 kg</p><p>Renk: sarı</p>",
        &["manufacturer: Akme", "price: 77 TL", "weight: 1,4 kg", "color: sarı"],
    );
}

#[test]
fn arabic_labels() {
    check_in(
        tongues(),
        "<div dir=rtl><h1>مجرفة</h1><p>السعر: ٣٧ ر.س</p><p>الوزن: ١٫٤ كجم</p><p>اللون: أحمر</p><p>المقاس: كبير</p></div>",
        &["price: ٣٧ ر.س", "weight: ١٫٤ كجم", "color: أحمر", "size: كبير"],
    );
}

#[test]
fn thai_labels() {
    check_in(
        tongues(),
        "<h1>คราด</h1><p>ราคา: 377 บาท</p><p>น้ำหนัก: 1.4 กก.</p><p>สี: แดง</p><p>ขนาด: 160 ซม.</p>",
        &["price: 377 บาท", "weight: 1.4 กก.", "color: แดง", "size: 160 ซม."],
    );
}

fn drugs() -> Domain {
    Domain::shipped("drugs").unwrap()
}

#[test]
fn a_chinese_leaflet_with_labels_in_brackets() {
    check_in(
        drugs(),
        "<html><head><title>板蓝根颗粒</title></head><body><h1>板蓝根颗粒</h1><div class=intro>\
         【通用名称】板蓝根颗粒<br>【成份】板蓝根。<br>【适应症】清热解毒，凉血利咽。<br>【用法用量】开水冲服，一次5~10克。<br>\
         【不良反应】尚不明确。<br>【批准文号】国药准字Z11020357<br>【生产企业】北京同仁堂科技发展股份有限公司</div></body></html>",
        &[
            "generic_name: 板蓝根颗粒",
            "ingredients: 板蓝根。",
            "indications: 清热解毒，凉血利咽。",
            "dosage: 开水冲服，一次5~10克。",
            "side_effects: 尚不明确。",
            "authentication_code: 国药准字Z11020357",
            "manufacturer: 北京同仁堂科技发展股份有限公司",
        ],
    );
}

#[test]
fn a_chinese_pharmacy_with_wide_colons() {
    check_in(
        drugs(),
        "<html><head><title>感冒灵颗粒 - 药房</title></head><body><h1>感冒灵颗粒</h1><ul class=info>\
         <li>商品名称：感冒灵颗粒</li><li>批准文号：国药准字Z44021940</li><li>生产厂家：华润三九医药股份有限公司</li>\
         <li>市场价：￥15.00</li><li>会员价：<b>￥12.80</b></li></ul></body></html>",
        &[
            "proprietary_name: 感冒灵颗粒",
            "authentication_code: 国药准字Z44021940",
            "manufacturer: 华润三九医药股份有限公司",
            "suggested_price: ￥15.00",
            "discount_price: ￥12.80",
        ],
    );
}

#[test]
fn a_chinese_table_with_spaces_inside_labels() {
    // Two letters are set apart to be as wide as four.
    check_in(
        drugs(),
        "<h1>感冒灵颗粒</h1><table><tr><td>药品名称</td><td>感冒灵颗粒</td></tr><tr><td>批准文号</td><td>国药准字Z44021940</td></tr>\
         <tr><td>生产厂家</td><td>三九医药</td></tr><tr><td>价　　格</td><td>12.80元</td></tr></table>",
        &[
            "generic_name: 感冒灵颗粒",
            "authentication_code: 国药准字Z44021940",
            "manufacturer: 三九医药",
            "discount_price: 12.80元",
        ],
    );
}

#[test]
fn a_chinese_line_with_several_pairs() {
    check_in(
        drugs(),
        "<h1>感冒灵颗粒</h1><p>批准文号：国药准字Z44021940　生产厂家：三九医药　市场价：15.00元　会员价：12.80元</p>",
        &[
            "authentication_code: 国药准字Z44021940",
            "manufacturer: 三九医药",
            "suggested_price: 15.00元",
            "discount_price: 12.80元",
        ],
    );
}

#[test]
fn an_empty_chinese_value_does_not_take_the_next_label() {
    check_in(
        drugs(),
        "<h1>感冒灵颗粒</h1><div>【通用名称】感冒灵颗粒<br>【成份】三叉苦、岗梅。<br>【不良反应】<br>【禁忌】<br>\
         【批准文号】国药准字Z44021940<br>【生产企业】三九医药</div>",
        &[
            "generic_name: 感冒灵颗粒",
            "ingredients: 三叉苦、岗梅。",
            "authentication_code: 国药准字Z44021940",
            "manufacturer: 三九医药",
        ],
    );
}
