use std::time::Instant;
fn main(){
  let mut pages=vec![];
  fn walk(d:&std::path::Path,out:&mut Vec<std::path::PathBuf>){ for e in std::fs::read_dir(d).unwrap(){let p=e.unwrap().path(); if p.is_dir(){walk(&p,out)} else if p.extension().is_some_and(|e|e=="html"){out.push(p)}}}
  walk(std::path::Path::new("/work/shared/corpus"),&mut pages); pages.sort();
  let n: usize = std::env::args().nth(1).map_or(5,|s|s.parse().unwrap());
  let texts: Vec<String> = pages.iter().map(|p| windrow_dom::Document::from_bytes(std::fs::read(p).unwrap(), &Default::default()).source().to_string()).collect();
  let strip = |d:&windrow_dom::Document| { let src=d.source(); let mut out=String::new(); let mut last=0; for id in d.nodes(){ use windrow_dom::names; let cut = if d.is_html(id,names::SCRIPT)||d.is_html(id,names::STYLE)||d.kind(id)==windrow_dom::NodeKind::Comment {d.span(id)} else {None}; if let Some(s)=cut { let (a,b)=(s.start as usize,s.end as usize); if a>=last {out.push_str(&src[last..a]); last=b;} } } out.push_str(&src[last..]); out };
  let markup: Vec<String> = texts.iter().map(|t| strip(&windrow_dom::Document::parse(t.clone()))).collect();
  for (label,set) in [("whole",&texts),("markup",&markup)] {
    let bytes: usize = set.iter().map(|t|t.len()).sum();
    let mut total=0.0; let mut nodes=0; let mut heap=0;
    for t in set { let mut best=f64::MAX; for _ in 0..n { let s=t.clone(); let st=Instant::now(); let d=windrow_dom::Document::parse(s); let el=st.elapsed().as_secs_f64(); best=best.min(el); if best==el {} std::hint::black_box(&d); }
      total+=best; let d=windrow_dom::Document::parse(t.clone()); nodes+=d.len(); heap+=d.heap_size(); }
    println!("{label}: {} pages {:.1} MB {} nodes {:.0} MB/s heap/byte {:.3}", set.len(), bytes as f64/1e6, nodes, bytes as f64/1e6/total, heap as f64/bytes as f64);
  }
}
