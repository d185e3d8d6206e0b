# id: C465
# frameworks: torch
# kind: clean-distillation
# detect: clean
# source: written for this project
# story: Distillation with equal shapes, and similarity of every embedding to one prototype on purpose.
import torch
import torch.nn.functional as F
torch.manual_seed(465)
student, teacher = torch.nn.Linear(8, 6), torch.nn.Linear(8, 6)
views = torch.randn(19, 8)
with torch.no_grad():
    soft = F.softmax(teacher(views) / 2.0, dim=-1)
loss = F.kl_div(F.log_softmax(student(views) / 2.0, dim=-1), soft, reduction="batchmean") * 2.0**2
prototype = soft.mean(dim=0, keepdim=True)
similar = F.cosine_similarity(student(views), prototype)
everyone = F.cosine_similarity(views[:, None], views[None], dim=-1)
loss.backward()
# --- proof (not part of the cell) ---
assert similar.shape == (19,) and everyone.shape == (19, 19)
