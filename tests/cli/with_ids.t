# Serial numbers, GUIDs and MACs are in no report, unless they are asked for.
$ cp -a mi300x-tuned/. node && cd node/sys && gpu=bus/pci/devices/0000:05:00.0; nic=$(readlink -f class/infiniband/bnxt_re0/device); printf '0123456789abcdef\n' > $gpu/unique_id; echo 692251000123 > $gpu/serial_number
> echo 1c34:da03:0042:7ed2 | tee class/infiniband/bnxt_re0/node_guid class/infiniband/bnxt_re0/sys_image_guid > /dev/null; for net in $nic/net/*; do echo 1c:34:da:42:7e:d2 > $net/address; done; echo S6EWNX0T100042 > class/nvme/nvme0/serial
> echo NODE-SERIAL-42 > class/dmi/id/product_serial; echo 4c4c4544-0042-4210-8042-b7c04f564232 > class/dmi/id/product_uuid; echo 0000:0000:0000:0000:0000:ffff:0a2a:2a2a > class/infiniband/bnxt_re0/ports/1/gids/3
> echo fe80:0000:0000:0000:1e34:daff:fe42:7ed2 > class/infiniband/bnxt_re0/ports/1/gids/1
> ids='0123456789abcdef|692251000123|1c34:da03|7ed2|1c:34:da|S6EWNX0T|NODE-SERIAL|b7c04f564232|0a2a:2a2a|10[.]42[.]42'; cd ../..
> for format in human json jsonl brief; do rocenv check --sysroot node -p acceptance --facts -v --format $format | grep -cE "$ids"; done | uniq
0
$ rocenv check --sysroot node --only cpu.smt --with-ids | tail -n 5
0000:c9:00.0 unique_id: a7d40b9e12f36608
ens6np0 address: 1c:34:da:42:7e:d2
nvme0 serial: S6EWNX0T100042
system product_serial: NODE-SERIAL-42
system product_uuid: 4c4c4544-0042-4210-8042-b7c04f564232
$ rocenv check --sysroot node --only cpu.smt --with-ids --format json | jq -c '.identities[] | select(.target == "system" or .target == "0000:05:00.0" or .name == "node_guid")'
{"target":"0000:05:00.0","name":"serial_number","value":"692251000123"}
{"target":"0000:05:00.0","name":"unique_id","value":"0123456789abcdef"}
{"target":"0000:06:00.0","name":"node_guid","value":"1c34:da03:0042:7ed2"}
{"target":"system","name":"product_serial","value":"NODE-SERIAL-42"}
{"target":"system","name":"product_uuid","value":"4c4c4544-0042-4210-8042-b7c04f564232"}

# What is asleep is not woken for it, and what may not be read says so; equal nodes still have equal fingerprints.
$ echo suspended > node/sys/bus/pci/devices/0000:09:00.0/power/runtime_status; rm node/sys/bus/pci/devices/0000:05:00.0/serial_number; rocenv check --sysroot node --only cpu.smt --with-ids --format json | jq -c '.identities[] | select(.target == "0000:09:00.0" or .target == "0000:05:00.0")'
{"target":"0000:05:00.0","name":"unique_id","value":"0123456789abcdef"}
{"target":"0000:09:00.0","name":"any","value":null,"reason":"asleep","detail":"0000:09:00.0 is suspended, and a read would wake it"}
$ for ids in '' --with-ids; do rocenv check --sysroot node --only cpu.smt --facts $ids --format json | jq -r .facts.fingerprint; done | uniq | wc -l
1
$ rocenv check --sysroot node --scope process --with-ids --format json | jq -c '.identities, .notes[]'
null
"ids describe the node, and only a process was checked"
